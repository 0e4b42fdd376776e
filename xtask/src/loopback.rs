//! A server on loopback that misbehaves as told.

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

/// What the server was asked.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// The path of the address.
    pub path: String,
    /// The first byte asked for, where a range was asked for.
    pub range: Option<usize>,
    /// The version that the range belongs to.
    pub if_range: Option<String>,
}

/// What the server does about it.
#[derive(Clone, Debug, Default)]
pub struct Answer {
    /// The status line after the version.
    pub status: &'static str,
    /// Further headers, each with its line end.
    pub headers: String,
    /// The length it claims, if it claims one.
    pub length: Option<usize>,
    /// What it sends.
    pub body: Vec<u8>,
    /// Whether it then falls silent for two seconds instead of closing.
    pub stall: bool,
    /// How long it waits after each byte, if it sends them one by one.
    pub trickle: Option<Duration>,
}

impl Answer {
    /// All of it.
    pub fn whole(body: &[u8]) -> Answer {
        let (length, body) = (Some(body.len()), body.to_vec());
        Answer { status: "200 OK", length, body, ..Answer::default() }
    }

    /// The rest from a byte on.
    pub fn rest(body: &[u8], start: usize) -> Answer {
        let total = body.len();
        let headers = format!("Content-Range: bytes {start}-{}/{total}\r\n", total - 1);
        Answer { status: "206 Partial Content", headers, ..Answer::whole(&body[start..]) }
    }

    /// As a good server answers: the range if one was asked for.
    pub fn good(body: &[u8], asked: &Asked) -> Answer {
        asked.range.map_or_else(|| Answer::whole(body), |start| Answer::rest(body, start))
    }

    /// Nothing but a status.
    pub fn status(status: &'static str) -> Answer {
        Answer { status, length: Some(0), ..Answer::default() }
    }

    /// The same answer, broken off after so many bytes.
    pub fn cut(mut self, size: usize) -> Answer {
        self.body.truncate(size);
        self
    }
}

/// A running server.
pub struct Server {
    /// Its address.
    pub url: String,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Answers the k-th request, counted from zero, by `answer(k, asked)`.
    pub fn start(answer: impl Fn(usize, &Asked) -> Answer + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").expect("loopback is there");
        let url = format!("http://{}", listener.local_addr().expect("it is bound"));
        let asked = Arc::new(Mutex::new(Vec::new()));
        let (log, answer) = (asked.clone(), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (log, answer) = (log.clone(), answer.clone());
                thread::spawn(move || serve(stream, &log, &*answer));
            }
        });
        Server { url, asked }
    }

    /// Everything it was asked so far.
    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().expect("no server thread panics").clone()
    }
}

fn serve(stream: TcpStream, log: &Mutex<Vec<Asked>>, answer: &dyn Fn(usize, &Asked) -> Answer) {
    let mut asked = Asked::default();
    for (number, line) in BufReader::new(&stream).lines().enumerate() {
        let Ok(line) = line else { return };
        if number == 0 {
            asked.path = line.split(' ').nth(1).unwrap_or("").to_owned();
        }
        if line.is_empty() {
            break;
        }
        let (name, value) = line.split_once(": ").unwrap_or(("", ""));
        match name.to_ascii_lowercase().as_str() {
            "range" => {
                let start = value.strip_prefix("bytes=").and_then(|range| range.strip_suffix('-'));
                asked.range = start.and_then(|start| start.parse().ok());
            }
            "if-range" => asked.if_range = Some(value.to_owned()),
            _ => {}
        }
    }
    let number = {
        let mut log = log.lock().expect("no server thread panics");
        log.push(asked.clone());
        log.len() - 1
    };
    let answer = answer(number, &asked);
    let length =
        answer.length.map(|size| format!("Content-Length: {size}\r\n")).unwrap_or_default();
    let head = format!(
        "HTTP/1.1 {}\r\nConnection: close\r\n{length}{}\r\n",
        answer.status, answer.headers
    );
    // A client that hangs up early is part of some tests.
    let _ = (&stream).write_all(head.as_bytes());
    match answer.trickle {
        None => {
            let _ = (&stream).write_all(&answer.body);
        }
        Some(pause) => {
            for byte in answer.body.chunks(1) {
                if (&stream).write_all(byte).is_err() {
                    return;
                }
                thread::sleep(pause);
            }
        }
    }
    let _ = (&stream).flush();
    if answer.stall {
        thread::sleep(Duration::from_secs(2));
    }
}
