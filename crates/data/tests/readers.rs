//! Every reader on good files, on bad ones, and on anything at all: no panic, no silent wrong data.
use data::{
    Code, CodedColumn, Coding, Labels, Levels, LibsvmError, Planes, TableError, Wanted,
    import_coded, open, read_expo, read_flights, read_header, read_libsvm, read_table,
    survey_table, unpack,
};
use posterior::{Indices, Rows};
use proptest::prelude::*;
use proptest::test_runner::RngSeed;
use std::io::{Cursor, Read};
use std::path::Path;

const EXPO_HEADER: &str = "Year,Month,DayofMonth,DayOfWeek,DepTime,ArrTime,TailNum,AirTime,\
                           ArrDelay,Distance,Cancelled,Diverted\n";
const PLANES: &str = "tailnum,type,manufacturer,issue_date,model,status,aircraft_type,engine_type,\
                      year\nN0\nN1,x,\"A, B\",,,,,,1998\nN2,,,,,,,,None\nN3,,,,,,,,0000\n";
const FLIGHTS: &str = "Year,Month,DayofMonth,DayOfWeek,DepTime,ArrTime,AirTime,Distance,plane_age,\
                       ArrDelay\n2013,1,1,2,517,830,227,1400,14,11\n2013,1,2,3,1,2400,30,90,0,-5\n";

#[track_caller]
fn libsvm_error(text: &str, width: usize, expected: &str) {
    let error = read_libsvm(text.as_bytes(), "f", width, Labels::Detect).map(|_| ());
    assert_eq!(error.expect_err("the file is bad").to_string(), expected);
}

#[test]
fn libsvm_takes_all_that_it_promises() {
    let text = "# a comment\n-1 1:1 3:1 \r\n\n+1\t2:1 # another\r\n1.0 \n-1 3:1";
    let rows = read_libsvm(text.as_bytes(), "f", 5, Labels::Detect).unwrap();
    assert_eq!((rows.count(), rows.block().width(), rows.positives()), (4, 5, 2));
    assert_eq!(rows.block().offsets(), [0, 2, 3, 3, 4]);
    assert_eq!(rows.block().indices(), Indices::Narrow(&[0, 2, 1, 2]));
    assert!(rows.block().is_binary());
    let rows = read_libsvm(&b"0 1:1\n1 1:0 2:-2.5e-1\n"[..], "f", 2, Labels::Detect).unwrap();
    assert_eq!(rows.block().targets(), [-1.0, 1.0]);
    let block = rows.block();
    assert_eq!((block.indices(), block.values()), (Indices::Narrow(&[0, 1]), &[1.0, -0.25][..]));
    let rows = read_libsvm(&b"2 1:1\n1 1:1\n"[..], "f", 1, Labels::Detect).unwrap();
    assert_eq!(rows.block().targets(), [1.0, -1.0]);
}

#[test]
fn libsvm_names_the_place_and_the_value() {
    libsvm_error("-1 1:1\n+1 2:x\n", 3, "f:2:6: value \"x\" is not a finite number");
    libsvm_error("-1 1:nan\n", 3, "f:1:6: value \"nan\" is not a finite number");
    libsvm_error("-1 1:1e999\n", 3, "f:1:6: value \"1e999\" is not a finite number");
    libsvm_error("-1 1:1  4:1\n", 3, "f:1:9: index \"4\" is not between 1 and 3");
    libsvm_error("-1 0:1\n", 3, "f:1:4: index \"0\" is not between 1 and 3");
    libsvm_error("-1 -1:1\n", 3, "f:1:4: index \"-1\" is not between 1 and 3");
    libsvm_error(
        "-1 99999999999999999999999:1\n",
        3,
        "f:1:4: index \"99999999999999999999999\" is not between 1 and 3",
    );
    libsvm_error("-1 2:1 2:1\n", 3, "f:1:8: index 2 follows 2, and indices must grow");
    libsvm_error("-1 2:1 1:1\n", 3, "f:1:8: index 1 follows 2, and indices must grow");
    libsvm_error("-1 2\n", 3, "f:1:4: entry \"2\" is not index:value");
    libsvm_error("-1 qid:3 1:1\n", 3, "f:1:4: index \"qid\" is not between 1 and 3");
    libsvm_error("3 1:1\n", 3, "f:1:1: label \"3\" is not one of -1, 0, 1, 2");
    libsvm_error("NaN 1:1\n", 3, "f:1:1: label \"NaN\" is not one of -1, 0, 1, 2");
    libsvm_error("\n# nothing\n", 3, "f: no rows in 2 lines");
    libsvm_error("", 3, "f: no rows in 0 lines");
    libsvm_error("1 1:1\n1\n", 3, "f: labels 1 (2 times) do not tell which one is positive");
    libsvm_error(
        "1\n-1\n0\n",
        3,
        "f: labels -1 (1 times), 0 (1 times), 1 (1 times) do not tell which one is positive",
    );
    libsvm_error("1\n", 70_000, "width 70000 is not between 1 and 65536");
    let long = "1 1:".to_owned() + &"1".repeat(10_000_000);
    let error = read_libsvm(long.as_bytes(), "f", 3, Labels::Detect).unwrap_err();
    assert!(matches!(error, LibsvmError::LongLine { limit: 4_194_304, .. }));
    assert!(error.to_string().len() < 200);
}

#[test]
fn tables_take_names_quotes_and_line_ends() {
    let text = "a, b ,\"y\"\r\n1,2.5,-1\r\n\"3\",4e0,1\r\n";
    let rows = read_table(text.as_bytes(), "t", &["b"], "y").unwrap();
    assert_eq!(
        (rows.block().column(0), rows.block().targets()),
        (&[2.5, 4.0][..], &[-1.0, 1.0][..])
    );
    let rows = read_table(text.as_bytes(), "t", &[], "b").unwrap();
    assert_eq!((rows.block().width(), rows.block().column(1)), (2, &[-1.0, 1.0][..]));
}

#[test]
fn tables_name_the_place_and_the_value() {
    for (text, expected) in [
        (
            "a,y\n1,2\n3\n",
            "t:3:1: this line has 1 fields and the header 2; mend the line, or put fields that hold a separator into quotes",
        ),
        (
            "a,y\n1,2,3\n",
            "t:2:1: this line has 3 fields and the header 2; mend the line, or put fields that hold a separator into quotes",
        ),
        ("a,y\n1,inf\n", "t:2:2: column \"y\" holds \"inf\", not a finite number"),
        ("a,y\nx,1\n", "t:2:1: column \"a\" holds \"x\", not a finite number"),
        ("a,y\n1,2\nNA,1\n", "t:3:1: column \"a\" is missing"),
        ("a,y\n1,2\n,1\n", "t:3:1: column \"a\" is missing"),
        ("a,b\n1,2\n", "t: there is no column \"y\" in the header \"a,b\""),
        ("a,y,y\n1,2,3\n", "t: column \"y\" is there 2 times in the header \"a,y,y\""),
        ("a,y\n", "t: no rows in 1 lines"),
        ("", "t: there is no column \"y\" in the header \"\""),
    ] {
        let error = read_table(text.as_bytes(), "t", &["a"], "y").unwrap_err();
        assert_eq!(error.to_string(), expected, "{text:?}");
    }
    let long = format!("a,y\n{},1\n", "9".repeat(10_000_000));
    let error = read_table(long.as_bytes(), "t", &[], "y").unwrap_err();
    assert!(matches!(error, TableError::Long { .. }) && error.to_string().len() < 200);
    let long = format!("a,y\n{},1\n", "9".repeat(1_000_000));
    let error = read_table(long.as_bytes(), "t", &[], "y").unwrap_err();
    assert!(matches!(error, TableError::Value { .. }) && error.to_string().len() < 200);
    let wide: String = (0..100_000).map(|j| format!("c{j},")).collect();
    let error = read_table(wide.as_bytes(), "t", &[], "y").unwrap_err();
    assert!(matches!(error, TableError::Many { limit: 65_536, .. }), "{error}");
    let named = format!("{},y\n1,1\n", "n".repeat(2000));
    let error = read_table(named.as_bytes(), "t", &[], "y").unwrap_err();
    assert!(matches!(error, TableError::Name { length: 2000, .. }), "{error}");
}

#[test]
fn expo_flights_are_joined_and_counted() {
    let planes = Planes::read(PLANES.as_bytes(), "planes").unwrap();
    let text = EXPO_HEADER.to_owned()
        + "2008,1,3,4,2003,2211,N1,116,-14,810,0,0\n\
           2008,1,3,4,NA,NA,N1,NA,NA,810,1,0\n\
           2008,1,3,4,2003,2211,N1,NA,NA,810,0,1\n\
           2008,1,3,4,2003,2211,N9,116,-14,810,0,0\n\
           2008,1,3,4,2003,2211,,116,-14,810,0,0\n\
           2008,1,3,4,2003,2211,N0,116,-14,810,0,0\n\
           2008,1,3,4,2003,2211,N2,116,-14,810,0,0\n\
           2008,1,3,4,2003,2211,N3,116,-14,810,0,0\n\
           2008,1,3,4,2003,2211,N1,NA,-14,810,0,0\n";
    let flights = read_expo(text.as_bytes(), "2008", &planes).unwrap();
    assert_eq!(flights.count(), 1);
    let row = flights.gather(&[0]);
    let covariates: Vec<f64> = (0..8).map(|j| row.column(j)[0]).collect();
    assert_eq!(covariates, [10.0, 810.0, 116.0, 2003.0, 2211.0, 4.0, 3.0, 1.0]);
    assert_eq!(row.targets(), [-14.0]);
    let dropped = flights.dropped();
    assert_eq!((dropped.cancelled, dropped.diverted, dropped.unknown_plane), (1, 1, 2));
    assert_eq!((dropped.unknown_year, dropped.missing), (3, 1));
    for (bad, expected) in [
        ("2008,13,3,4,1,1,N1,1,1,1,0,0", "column \"Month\" holds \"13\""),
        ("2008,1,3,4,1,1,N1,1,1,1,2,0", "column \"Cancelled\" holds \"2\""),
        ("208,1,3,4,1,1,N1,1,1,1,0,0", "column \"Year\" holds \"208\""),
        ("2008,1,3,4,x,1,N1,1,1,1,0,0", "column \"DepTime\" holds \"x\""),
    ] {
        let text = EXPO_HEADER.to_owned() + bad + "\n";
        let error = read_expo(text.as_bytes(), "2008", &planes).unwrap_err().to_string();
        assert!(error.contains(expected) && error.starts_with("2008:2:"), "{error}");
    }
    let error = Planes::read(&b"tailnum,year\nN1,19988\n"[..], "planes").unwrap_err();
    assert!(error.to_string().starts_with("planes:2:2: column \"year\" holds \"19988\""));
    let twice = PLANES.to_owned() + "N1,,,,,,,,2001\n";
    let error = Planes::read(twice.as_bytes(), "planes").unwrap_err();
    assert_eq!(error.to_string(), "planes:6:1: plane \"N1\" is listed a second time");
}

#[test]
fn a_cut_compressed_file_is_an_error() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/embedded/a9a.bz2");
    let whole = std::fs::read(&path).unwrap();
    assert!(read_libsvm(open(&path).unwrap(), "a9a", 123, Labels::Detect).is_ok());
    for cut in [3, 10, 50_000, whole.len() - 1] {
        let text = unpack(Cursor::new(whole[..cut].to_vec())).unwrap();
        assert!(read_libsvm(text, "a9a", 123, Labels::Detect).is_err(), "{cut} bytes");
    }
}

/// The first lines of the real a9a.
fn real_lines(count: usize) -> Vec<u8> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/embedded/a9a.bz2");
    let mut text = Vec::new();
    let source = open(&path).expect("the embedded file is there");
    source.take(count as u64 * 90).read_to_end(&mut text).expect("it can be read");
    text.split_inclusive(|&byte| byte == b'\n').take(count).flatten().copied().collect()
}

/// What a libsvm reader must get right, by the plainest means: a row as (column, value) pairs.
fn plain_row(line: &str, width: usize) -> Option<(f64, Vec<(usize, f64)>)> {
    let mut words = line.split('#').next()?.split([' ', '\t']).filter(|word| !word.is_empty());
    let label: f64 = words.next()?.parse().ok()?;
    let mut entries = Vec::new();
    for word in words {
        let (index, value) = word.split_once(':')?;
        let (index, value): (usize, f64) = (index.parse().ok()?, value.parse().ok()?);
        let grows = entries.last().is_none_or(|&(last, _)| index > last);
        if !(grows && (1..=width).contains(&index) && value.is_finite()) {
            return None;
        }
        entries.push((index, value));
    }
    entries.retain(|entry| entry.1 != 0.0);
    Some((label, entries))
}

/// Reads as the reader does; if it takes the file, every row must be the plain one.
fn check_libsvm(bytes: &[u8], width: usize) {
    let Ok(rows) = read_libsvm(bytes, "f", width, Labels::PlusMinus) else { return };
    let text = std::str::from_utf8(bytes);
    // Bytes outside of comments are ASCII, or the reader would have refused them.
    let text = text.map_or_else(|_| String::from_utf8_lossy(bytes).into_owned(), str::to_owned);
    let lines = text.split('\n').map(|line| line.strip_suffix('\r').unwrap_or(line));
    let filled = lines
        .filter(|line| !line.split('#').next().unwrap_or("").trim_matches([' ', '\t']).is_empty());
    let expected: Vec<_> = filled.map(|line| plain_row(line, width).expect("taken")).collect();
    assert_eq!(rows.count(), expected.len());
    let block = rows.block();
    for (row, (label, entries)) in expected.iter().enumerate() {
        assert_eq!(block.targets()[row], *label);
        let at = block.offsets()[row] as usize..block.offsets()[row + 1] as usize;
        let found: Vec<(usize, f64)> = at
            .map(|k| (block.indices().get(k) + 1, block.values().get(k).map_or(1.0, |v| *v)))
            .collect();
        assert_eq!(&found, entries);
    }
}

/// Every reader on the same bytes.
fn read_with_all(bytes: &[u8]) {
    check_libsvm(bytes, 123);
    let _ = read_libsvm(bytes, "f", 65_536, Labels::Detect);
    let _ = read_table(bytes, "f", &[], "ArrDelay");
    let _ = read_flights(bytes, "f");
    code_with_all(bytes);
    let _ = Planes::read(bytes, "f");
    let planes = Planes::read(PLANES.as_bytes(), "planes").expect("a good table");
    let _ = read_expo(bytes, "f", &planes);
    if let Ok(mut text) = unpack(Cursor::new(bytes.to_vec())) {
        let _ = text.read_to_end(&mut Vec::new());
    }
}

/// Surveys every column, codes what it can, and imports exactly the rows that the survey counted.
fn code_with_all(bytes: &[u8]) {
    let Ok(header) = read_header(bytes, "f") else { return };
    // One of three ways for each file: an import ends on the disk, which takes its time.
    let ways = [(false, false), (true, false), (true, true)];
    for (category, needed) in ways.into_iter().skip(bytes.len() % 3).take(1) {
        let wanted: Vec<Wanted> =
            header.iter().map(|name| Wanted { name, category, needed }).collect();
        let Ok(survey) = survey_table(bytes, "f", &wanted) else { continue };
        let mut columns = Vec::new();
        for column in &survey.columns {
            let code = match &column.levels {
                _ if !category && column.words > 0 => continue,
                _ if !category => Code::Number { mean: Some(column.sum) },
                Levels::Counted(levels) if !levels.is_empty() => Code::Category {
                    levels: levels.iter().map(|(level, _)| level.clone()).collect(),
                    reference: 0,
                    gaps: !needed,
                },
                _ => continue,
            };
            columns.push(CodedColumn { name: column.name.clone(), code });
        }
        let watched = header.iter().filter(|_| needed).cloned().collect();
        let coding =
            Coding { columns, target: None, leave_out: needed, watched, derived: Vec::new() };
        assert_eq!(coding.names().len(), coding.width());
        let folder = tempfile::tempdir().expect("a folder for tests");
        let imported = import_coded(bytes, "f", &folder.path().join("rows"), &coding);
        assert_eq!(imported.expect("what was surveyed has a code"), survey.rows);
    }
}

/// One change to a file: a byte set, a piece cut, a piece said twice.
fn mutate(bytes: &mut Vec<u8>, kind: u8, at: usize, value: u8) {
    if bytes.is_empty() {
        return;
    }
    let at = at % bytes.len();
    let end = bytes.len().min(at + usize::from(value));
    match kind % 4 {
        0 => bytes[at] = value,
        1 => bytes.truncate(at),
        2 => drop(bytes.drain(at..end)),
        _ => {
            let piece = bytes[at..end].to_vec();
            bytes.splice(at..at, piece);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig {
        cases: 400,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(2015),
        ..ProptestConfig::default()
    })]

    #[test]
    fn no_bytes_make_a_reader_panic(bytes in prop::collection::vec(any::<u8>(), 0..600)) {
        read_with_all(&bytes);
    }

    #[test]
    fn no_text_makes_a_reader_panic(text in "[-+0-9:,.eENAn# \"\r\n\t]{0,400}") {
        read_with_all(text.as_bytes());
    }

    #[test]
    fn mutated_files_are_read_right_or_refused(
        changes in prop::collection::vec((any::<u8>(), any::<usize>(), any::<u8>()), 1..6),
    ) {
        let planes = EXPO_HEADER.to_owned() + "2008,1,3,4,2003,2211,N1,116,-14,810,0,0\n";
        for mut bytes in [real_lines(20), planes.into_bytes(), PLANES.into(), FLIGHTS.into()] {
            for &(kind, at, value) in &changes {
                mutate(&mut bytes, kind, at, value);
            }
            read_with_all(&bytes);
        }
    }

    #[test]
    fn mutated_compressed_files_never_panic(
        changes in prop::collection::vec((any::<u8>(), any::<usize>(), any::<u8>()), 1..4),
    ) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/embedded/a9a.bz2");
        let mut bytes = std::fs::read(path).expect("the embedded file is there");
        bytes.truncate(20_000);
        for &(kind, at, value) in &changes {
            mutate(&mut bytes, kind, at, value);
        }
        if let Ok(text) = unpack(Cursor::new(bytes)) {
            prop_assert!(read_libsvm(text.take(1 << 20), "a9a", 123, Labels::PlusMinus).is_err());
        }
    }

    /// What is written is read back, bit for bit.
    #[test]
    fn rows_survive_the_round_trip(
        rows in prop::collection::vec(
            (any::<bool>(), prop::collection::btree_map(1usize..200, -1e300f64..1e300, 0..20)),
            1..30,
        ),
    ) {
        let text: String = rows
            .iter()
            .map(|(label, entries)| {
                let entries: String = entries.iter().map(|(j, x)| format!(" {j}:{x:?}")).collect();
                format!("{}{entries}\n", if *label { "+1" } else { "-1" })
            })
            .collect();
        check_libsvm(text.as_bytes(), 200);
        let read = read_libsvm(text.as_bytes(), "f", 200, Labels::PlusMinus).expect("a good file");
        prop_assert_eq!(read.count(), rows.len());
    }
}
