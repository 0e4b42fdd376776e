//! Rows on disk are the rows that were imported, and damaged files are refused.
use data::{
    ImportError, Labels, MappedDense, MappedError, MappedSparse, a9a, import_libsvm, import_table,
    open, read_libsvm, read_table,
};
use posterior::Rows;
use sha2::{Digest, Sha256};
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};

/// A table of `rows` rows and three columns.
fn table(folder: &Path, rows: usize) -> PathBuf {
    let mut text = String::from("a,b,y\n");
    for i in 0..rows {
        writeln!(text, "{i},{},{}", i as f64 / 7.0, i % 2).expect("memory takes text");
    }
    let path = folder.join("table.csv");
    fs::write(&path, text).expect("the folder is writable");
    path
}

#[test]
fn dense_rows_come_back() {
    let folder = tempfile::tempdir().unwrap();
    for rows in [1, 8191, 8192, 20_001] {
        let input = table(folder.path(), rows);
        let output = folder.path().join("table.rows");
        assert_eq!(import_table(&input, &output, &["b", "a"], "y").unwrap(), rows as u64);
        let mapped = MappedDense::open(&output).unwrap();
        let memory = read_table(open(&input).unwrap(), "table", &["b", "a"], "y").unwrap();
        assert_eq!((mapped.count(), mapped.width()), (rows, 2));
        assert_eq!(mapped.range(0..rows), memory.range(0..rows));
        assert_eq!(mapped.range(rows / 3..rows / 2), memory.range(rows / 3..rows / 2));
        let some = [rows - 1, 0, rows / 2, 0];
        assert_eq!(mapped.gather(&some), memory.gather(&some));
    }
}

#[test]
fn sparse_rows_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("sparse.rows");
    let embedded = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../datasets/embedded/a9a.bz2");
    assert_eq!(import_libsvm(&embedded, &output, 123, Labels::PlusMinus).unwrap(), 32_561);
    let mapped = MappedSparse::open(&output).unwrap();
    assert!(mapped.is_binary());
    let all: Vec<usize> = (0..mapped.count()).rev().collect();
    assert_eq!(mapped.gather(&all), a9a().gather(&all));

    // General values, in a chunk after one that is all ones.
    let text = "1 2:1\n".repeat(9000) + "2 1:0.5 3:-2 \n1\n";
    let input = folder.path().join("general.svm");
    fs::write(&input, &text).unwrap();
    import_libsvm(&input, &output, 3, Labels::OneTwo).unwrap();
    let mapped = MappedSparse::open(&output).unwrap();
    let memory = read_libsvm(text.as_bytes(), "general", 3, Labels::OneTwo).unwrap();
    let some = [9001, 9000, 3];
    assert_eq!(mapped.gather(&some), memory.gather(&some));
    assert!(!mapped.is_binary());
}

#[test]
fn every_damaged_byte_is_found() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("table.rows");
    import_table(&table(folder.path(), 9), &output, &[], "y").unwrap();
    let good = fs::read(&output).unwrap();
    let damaged = folder.path().join("damaged.rows");
    for at in 0..good.len() {
        let mut bytes = good.clone();
        bytes[at] ^= 0x10;
        fs::write(&damaged, &bytes).unwrap();
        assert!(MappedDense::open(&damaged).is_err(), "byte {at}");
    }
    for size in [0, 1, 127, 128, good.len() - 1] {
        fs::write(&damaged, &good[..size]).unwrap();
        assert!(MappedDense::open(&damaged).is_err(), "{size} bytes");
    }
    assert!(matches!(MappedSparse::open(&output), Err(MappedError::Kind { .. })));
}

/// Gives a changed file the sum that fits it, as no accident would.
fn seal(bytes: &mut [u8]) {
    bytes[40..72].fill(0);
    let mut hash = Sha256::new_with_prefix(&bytes[128..]);
    hash.update(&bytes[..128]);
    bytes[40..72].copy_from_slice(&hash.finalize());
}

#[test]
fn forged_files_are_refused_or_readable() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("sparse.svm");
    fs::write(&input, "+1 1:1 3:2\n-1\n-1 2:1\n").unwrap();
    let (dense, sparse) = (folder.path().join("dense.rows"), folder.path().join("sparse.rows"));
    import_table(&table(folder.path(), 9), &dense, &[], "y").unwrap();
    import_libsvm(&input, &sparse, 3, Labels::PlusMinus).unwrap();
    let forged = folder.path().join("forged.rows");
    for good in [fs::read(&dense).unwrap(), fs::read(&sparse).unwrap()] {
        let mut sealed = good.clone();
        seal(&mut sealed);
        assert!(sealed == good, "the sum is the importer's");
        for (at, change) in (0..good.len()).flat_map(|at| [1, 0xff].map(|by| (at, by))) {
            let mut bytes = good.clone();
            bytes[at] ^= change;
            seal(&mut bytes);
            fs::write(&forged, &bytes).unwrap();
            if let Ok(rows) = MappedDense::open(&forged) {
                rows.range(0..rows.count());
            }
            if let Ok(rows) = MappedSparse::open(&forged) {
                rows.range(0..rows.count());
            }
        }
    }
}

#[test]
fn a_failed_import_leaves_nothing_behind() {
    let folder = tempfile::tempdir().unwrap();
    let input = folder.path().join("bad.svm");
    fs::write(&input, "1 1:1\n".repeat(20_000) + "1 0:1\n").unwrap();
    let output = folder.path().join("bad.rows");
    let error = import_libsvm(&input, &output, 3, Labels::ZeroOne).unwrap_err();
    assert!(error.to_string().ends_with("bad.svm:20001:3: index \"0\" is not between 1 and 3"));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().collect();
    assert_eq!(left.len(), 1, "only the input remains: {left:?}");
    let nowhere = folder.path().join("no/such/folder.rows");
    let error = import_libsvm(&input, &nowhere, 3, Labels::ZeroOne).unwrap_err();
    assert!(matches!(error, ImportError::Write { .. }));
    assert!(matches!(import_libsvm(&input, &output, 3, Labels::Detect), Err(ImportError::Labels)));
}
