//! Every parser of the project that reads what others wrote, or what we wrote and others may have changed.

use super::at;
use crate::fetch::Manifest;
use data::{
    Labels, MappedDense, MappedSparse, Planes, Wanted, arrow_columns, parquet_columns, read_expo,
    read_flights, read_header, read_libsvm, read_table, survey_table, unpack,
};
use debias::Replicates;
use debias::engine::{ChunkId, Store};
use records::{ChunkFolder, RunKey, Table, read_provenance, read_record, read_sealed};
use std::fmt::Display;
use std::io::{Cursor, Read};
use std::path::Path;

/// A parser, and the files of the corpus that it is fed with.
pub struct Parser {
    pub name: &'static str,
    /// What the names of its seed files begin with.
    pub seeds: &'static str,
    /// Parses bytes, by way of a file in the folder if need be; an error is its sentence.
    pub parse: fn(&[u8], &Path) -> Result<(), String>,
}

impl Parser {
    /// Whether a file is among its seeds.
    pub fn takes(&self, name: &str) -> bool {
        name.starts_with(self.seeds)
    }
}

fn said<T>(result: Result<T, impl Display>) -> Result<(), String> {
    result.map(drop).map_err(|error| error.to_string())
}

const fn parser(
    name: &'static str,
    seeds: &'static str,
    parse: fn(&[u8], &Path) -> Result<(), String>,
) -> Parser {
    Parser { name, seeds, parse }
}

pub const ALL: &[Parser] = &[
    parser("libsvm", "libsvm", |bytes, _| said(read_libsvm(bytes, "f", 123, Labels::Detect))),
    parser("table of numbers", "numbers", |bytes, _| said(read_table(bytes, "f", &[], "y"))),
    parser("survey of any table", "table", |bytes, _| {
        let header = read_header(bytes, "f").map_err(|error| error.to_string())?;
        let wanted: Vec<Wanted> =
            header.iter().map(|name| Wanted { name, category: true, needed: false }).collect();
        said(survey_table(bytes, "f", &wanted))
    }),
    parser("flights", "flights", |bytes, _| said(read_flights(bytes, "f"))),
    parser("planes", "planes", |bytes, _| said(Planes::read(bytes, "f"))),
    parser("flights of the exposition", "expo", |bytes, _| {
        let planes = Planes::read(&b"tailnum,type,manufacturer,issue_date,model,status,aircraft_type,engine_type,year\nN1,,,,,,,,1998\n"[..], "p")
            .map_err(|error| error.to_string())?;
        said(read_expo(bytes, "f", &planes))
    }),
    parser("compressed files", "packed", |bytes, _| {
        let text = unpack(Cursor::new(bytes.to_vec())).map_err(|error| error.to_string())?;
        said(text.take(1 << 22).read_to_end(&mut Vec::new()))
    }),
    parser("Arrow files and streams", "shop", |bytes, folder| {
        if bytes.first().is_some_and(u8::is_ascii_lowercase) {
            // The table of the same name, which is no Arrow file.
            return Ok(());
        }
        said(arrow_columns(&at(folder, "shop.arrow", bytes)))
    }),
    parser("Parquet files", "parquet", |bytes, folder| {
        said(parquet_columns(&[at(folder, "one.parquet", bytes)]))
    }),
    parser("mapped dense rows", "mapped-dense", |bytes, folder| {
        said(MappedDense::open(&at(folder, "rows", bytes)))
    }),
    parser("mapped sparse rows", "mapped-sparse", |bytes, folder| {
        said(MappedSparse::open(&at(folder, "rows", bytes)))
    }),
    parser("manifests", "manifest", |bytes, _| {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        said(Manifest::parse(text, Path::new("m.toml")))
    }),
    parser("records", "record", |bytes, folder| {
        at(folder, "record.json", bytes);
        said(read_record(folder))
    }),
    parser("provenance", "provenance", |bytes, folder| {
        at(folder, "provenance.json", bytes);
        said(read_provenance(folder))
    }),
    parser("tables of records", "columns", |bytes, _| {
        let text = std::str::from_utf8(bytes).map_err(|error| error.to_string())?;
        said(Table::from_csv("columns", text))
    }),
    parser("sealed files", "sealed", |bytes, folder| {
        let read = read_sealed::<serde_json::Value>(&at(folder, "sealed.json", bytes));
        read.map(drop).map_err(|why| format!("{why:?}"))
    }),
    parser("chunks of finished work", "chunk", |bytes, folder| {
        let key = RunKey { settings: 0.into(), seed: 0, data: Vec::new(), code: String::new() };
        let chunks = ChunkFolder::open(folder, &key).map_err(|error| error.to_string())?;
        at(folder, "0-2-0000.chunk", bytes);
        let read = chunks.load(&ChunkId { range: 0..2, chunk: 0, replicates: 2 });
        let costs = vec![Default::default(); 2];
        let kept = Replicates::from_columns(1, vec![1.0, 2.0], vec![1, 1], costs);
        // What is damaged is done again; what is read must be what was written.
        match read {
            Some(_) if read == kept => Ok(()),
            Some(_) => panic!("another chunk was believed"),
            None => Err("done again".to_owned()),
        }
    }),
];
