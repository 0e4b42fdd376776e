//! Design matrices that Python's formulaic printed: `formulaic/print_designs.py` made
//! `formulaic/designs.json`. Names differ, numbers do not.

#![allow(clippy::unwrap_used, reason = "a test stops where it fails")]

mod desk;

use desk::{Desk, said};
use serde_json::Value;

/// formulaic's `c[T.b]:x`, `C(t, …)[T.1]` and `poly(x, 2)[1]` as we write them.
fn translated(name: &str) -> String {
    let factor = |factor: &str| -> String {
        // A level or a degree is what the last brackets hold.
        let (of, inside) = match factor.strip_suffix(']').and_then(|it| it.rsplit_once('[')) {
            Some((of, inside)) => (of, Some(inside)),
            None => (factor, None),
        };
        let of = of.replace("np.", "").replace(" ** ", "^");
        let of = match of.strip_prefix("C(") {
            Some(column) => column.split([',', ')']).next().unwrap().to_owned(),
            None => of,
        };
        match inside {
            None => of,
            // Plain powers are counted from zero there.
            Some(power) if of.contains("raw=True") => {
                format!("{of}{}", power.parse::<u32>().unwrap() + 1)
            }
            Some(degree) if of.starts_with("poly") => of + degree,
            Some(level) => format!("{of}={}", level.trim_start_matches("T.")),
        }
    };
    name.split(':').map(factor).collect::<Vec<_>>().join(":")
}

/// Factors of a product may come in any order.
fn sorted(name: &str) -> Vec<&str> {
    let mut factors: Vec<&str> = name.split(':').collect();
    factors.sort_unstable();
    factors
}

#[test]
fn designs_are_those_of_formulaic() {
    let stored: Value = serde_json::from_str(include_str!("formulaic/designs.json")).unwrap();
    let designs = stored["designs"].as_array().unwrap();
    assert!(designs.len() >= 12);
    for design in designs {
        let formula = design["formula"].as_str().unwrap();
        let desk = Desk::new();
        desk.put("m.csv", stored["table"].as_str().unwrap());
        let mut command = desk.command("import --data m.csv --number --missing drop");
        let output = command.arg("--formula").arg(format!("y ~ {formula}")).output().unwrap();
        assert!(output.status.success(), "{formula}: {}", said(&output));
        let found = desk.imported(said(&output));
        let list = |value: &Value| value.as_array().unwrap().clone();
        let names: Vec<String> =
            list(&design["names"]).iter().map(|name| translated(name.as_str().unwrap())).collect();
        let rows: Vec<Vec<f64>> = list(&design["rows"])
            .iter()
            .map(|row| list(row).iter().map(|value| value.as_f64().unwrap()).collect())
            .collect();
        // Pairs of levels that no row has are zeros there, and nothing here.
        let seen: Vec<usize> =
            (0..names.len()).filter(|&j| rows.iter().any(|row| row[j] != 0.0)).collect();
        assert_eq!(found.names.len(), seen.len(), "{formula}: {:?}, not {names:?}", found.names);
        assert_eq!(found.rows.len(), rows.len(), "{formula}");
        for j in seen {
            let ours = found.names.iter().position(|name| sorted(name) == sorted(&names[j]));
            let ours =
                ours.unwrap_or_else(|| panic!("{formula}: no {} in {:?}", names[j], found.names));
            for (row, (a, b)) in found.rows.iter().zip(&rows).enumerate() {
                let (a, b) = (a[ours], b[j]);
                let close = (a - b).abs() <= 1e-12 * b.abs().max(1.0);
                assert!(close, "{formula}: {} in row {row} is {a}, not {b}", names[j]);
            }
        }
    }
}
