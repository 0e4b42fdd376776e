//! Rows on disk are the rows that were imported, and damaged files are refused.
use data::{
    Code, CodedColumn, CodedTarget, Coding, ImportError, Labels, MappedDense, MappedError,
    MappedMixed, MappedSparse, a9a, import_coded, import_libsvm, import_table, open, read_coded,
    read_libsvm, read_table,
};
use posterior::{Indices, MixedBlock, Rows};
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

/// Numbers, one of them with gaps, a category of so many levels, and its product with a number that is
/// a covariate and with one that is not.
fn coding(levels: usize) -> Coding {
    let names: Vec<String> = (0..levels).map(|level| format!("l{level}")).collect();
    let column = |name: &str, code| CodedColumn { name: name.to_owned(), code };
    let product = |number: &str| Code::Product {
        levels: vec![("l1".to_owned(), format!("g=l1:{number}"))],
        others: names.iter().filter(|name| *name != "l1").cloned().collect(),
        number: Some(number.to_owned()),
        effects: None,
    };
    Coding {
        columns: vec![
            column("x", Code::Number { mean: Some(2.5) }),
            column("g", Code::Category { levels: names.clone(), reference: 0, gaps: false }),
            column("z", Code::Number { mean: None }),
            column("g", product("z")),
            column("g", product("v")),
        ],
        target: Some(CodedTarget { name: "y".to_owned(), classes: None }),
        leave_out: false,
        watched: Vec::new(),
        derived: Vec::new(),
    }
}

fn coded_table(rows: usize, levels: usize) -> String {
    let mut text = String::from("x,g,z,v,y\n");
    for i in 0..rows {
        let x = if i % 5 == 0 { String::new() } else { (i % 3).to_string() };
        let (g, z, v) = (i * 7 % levels, i % 4, i as f64 / 8.0);
        writeln!(text, "{x},l{g},{z},{v},{i}").expect("memory takes text");
    }
    text
}

/// The covariates of a row that are not zero, in their order.
fn entries(block: &MixedBlock, row: usize) -> Vec<(usize, f64)> {
    let number = |at: usize| block.numbers().column(at)[row];
    let mut found = Vec::new();
    for (at, covariate) in block.shape().numbers().iter().enumerate() {
        found.extend(covariate.map(|covariate| (covariate, number(at))));
    }
    for (category, factor) in block.shape().factors().iter().enumerate() {
        let level = block.level(category, row);
        found.extend(level.map(|level| (level, factor.map_or(1.0, number))));
    }
    found.retain(|&(_, value)| value != 0.0);
    found.sort_by_key(|&(covariate, _)| covariate);
    found
}

#[test]
fn rows_with_categories_come_back() {
    let folder = tempfile::tempdir().unwrap();
    let output = folder.path().join("mixed.rows");
    for (rows, levels) in [(1, 3), (8193, 60), (9000, 70_000)] {
        let (text, coding) = (coded_table(rows, levels), coding(levels));
        let imported = import_coded(text.as_bytes(), "t", &output, &coding).unwrap();
        let mapped = MappedMixed::open(&output).unwrap();
        assert_eq!((imported, mapped.count(), mapped.width()), (rows as u64, rows, levels + 4));
        // The number that is a covariate is kept once.
        assert_eq!(mapped.shape().numbers(), [Some(0), Some(levels + 1), None]);
        assert_eq!(mapped.shape().factors(), [None, None, Some(1), Some(2)]);
        let memory = read_coded(text.as_bytes(), "t", &coding, rows).unwrap();
        let all = mapped.range(0..rows);
        assert_eq!(matches!(all.codes(), Indices::Wide(_)), levels == 70_000);
        for (row, expected) in memory.iter().enumerate() {
            assert_eq!(&entries(&all, row), expected);
            assert_eq!(all.numbers().targets()[row], row as f64);
        }
        let some = [rows - 1, 0, rows / 2, 0];
        let gathered = mapped.gather(&some);
        for (at, &row) in some.iter().enumerate() {
            assert_eq!(entries(&gathered, at), memory[row]);
        }
        assert_eq!(mapped.range(rows / 3..rows / 2), {
            mapped.gather(&(rows / 3..rows / 2).collect::<Vec<_>>())
        });
    }
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
    let mixed = folder.path().join("mixed.rows");
    import_coded(coded_table(5, 3).as_bytes(), "t", &mixed, &coding(3)).unwrap();
    let forged = folder.path().join("forged.rows");
    for good in [&dense, &sparse, &mixed].map(|path| fs::read(path).unwrap()) {
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
            if let Ok(rows) = MappedMixed::open(&forged) {
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
