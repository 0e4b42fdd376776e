//! A stored record against a fresh one.

use crate::quantity::ACROSS_PLATFORMS;
use crate::{Policy, Quantity, Record, Table};

/// One difference.
#[derive(Clone, Debug, PartialEq)]
pub struct Drift {
    /// What differs.
    pub name: String,
    /// As stored.
    pub stored: String,
    /// As it came out now.
    pub fresh: String,
    /// What was allowed.
    pub policy: String,
    /// How bad it is.
    pub severity: Severity,
}

/// How bad a difference is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Severity {
    /// A number outside its policy.
    Number,
    /// Something is there on one side only, or means something else.
    Structure,
    /// A claim changed its verdict.
    Verdict,
}

impl Severity {
    /// In one word.
    pub fn word(self) -> &'static str {
        match self {
            Severity::Number => "number",
            Severity::Structure => "structure",
            Severity::Verdict => "verdict",
        }
    }
}

/// Everything in which a fresh record differs from the stored one beyond what policies allow;
/// the worst first.
pub fn compare(stored: &Record, fresh: &Record, same_platform: bool) -> Vec<Drift> {
    let mut drifts = Vec::new();
    let heads = [
        ("scale", stored.scale.name().to_owned(), fresh.scale.name().to_owned()),
        ("seed", stored.seed.to_string(), fresh.seed.to_string()),
        ("notes", stored.notes.join(" "), fresh.notes.join(" ")),
    ];
    for (name, old, new) in heads {
        differ(&mut drifts, name, &old, &new);
    }
    by_name(
        &mut drifts,
        "setting",
        stored.settings.iter().map(|(key, value)| (key.as_str(), value)),
        fresh.settings.iter().map(|(key, value)| (key.as_str(), value)),
        |drifts, name, old, new| differ(drifts, name, &old.to_string(), &new.to_string()),
    );
    by_name(
        &mut drifts,
        "data",
        stored.data.iter().map(|source| (source.name.as_str(), source)),
        fresh.data.iter().map(|source| (source.name.as_str(), source)),
        |drifts, name, old, new| differ(drifts, name, &old.identity, &new.identity),
    );
    by_name(
        &mut drifts,
        "quantity",
        stored.quantities.iter().map(|quantity| (quantity.name.as_str(), quantity)),
        fresh.quantities.iter().map(|quantity| (quantity.name.as_str(), quantity)),
        |drifts, name, old, new| drifts.extend(quantity_drift(name, old, new, same_platform)),
    );
    by_name(
        &mut drifts,
        "claim",
        stored.claims.iter().map(|claim| (claim.id.as_str(), claim)),
        fresh.claims.iter().map(|claim| (claim.id.as_str(), claim)),
        |drifts, name, old, new| {
            if old.verdict != new.verdict {
                drifts.push(Drift {
                    name: name.to_owned(),
                    stored: old.verdict.words().to_owned(),
                    fresh: new.verdict.words().to_owned(),
                    policy: "the same verdict".to_owned(),
                    severity: Severity::Verdict,
                });
            }
        },
    );
    by_name(
        &mut drifts,
        "table",
        stored.tables.iter().map(|table| (table.name(), table)),
        fresh.tables.iter().map(|table| (table.name(), table)),
        |drifts, name, old, new| drifts.extend(table_drift(name, old, new, same_platform)),
    );
    drifts.sort_by_key(|drift| std::cmp::Reverse(drift.severity));
    drifts
}

/// Pairs things by name and reports those that stand alone.
fn by_name<'a, T: 'a>(
    drifts: &mut Vec<Drift>,
    kind: &str,
    stored: impl Iterator<Item = (&'a str, T)>,
    fresh: impl Iterator<Item = (&'a str, T)>,
    mut pair: impl FnMut(&mut Vec<Drift>, &str, T, T),
) {
    let alone = |name: &str, stored: &str, fresh: &str| Drift {
        name: name.to_owned(),
        stored: stored.to_owned(),
        fresh: fresh.to_owned(),
        policy: "there on both sides".to_owned(),
        severity: Severity::Structure,
    };
    let mut fresh: Vec<(&str, T)> = fresh.collect();
    for (name, old) in stored {
        let label = format!("{kind} {name}");
        match fresh.iter().position(|(found, _)| *found == name) {
            Some(place) => pair(drifts, &label, old, fresh.remove(place).1),
            None => drifts.push(alone(&label, "there", "missing")),
        }
    }
    for (name, _) in fresh {
        drifts.push(alone(&format!("{kind} {name}"), "missing", "there"));
    }
}

fn differ(drifts: &mut Vec<Drift>, name: &str, stored: &str, fresh: &str) {
    if stored != fresh {
        drifts.push(Drift {
            name: name.to_owned(),
            stored: stored.to_owned(),
            fresh: fresh.to_owned(),
            policy: "equal".to_owned(),
            severity: Severity::Structure,
        });
    }
}

fn quantity_drift(
    name: &str,
    old: &Quantity,
    new: &Quantity,
    same_platform: bool,
) -> Option<Drift> {
    let step = (new.value - old.value).abs();
    let relative = step / old.value.abs().max(f64::MIN_POSITIVE);
    let (allowed, policy) = match old.policy {
        Policy::Exact if same_platform => (step == 0.0, "the same bits".to_owned()),
        Policy::Exact => (
            relative <= ACROSS_PLATFORMS,
            format!("within {ACROSS_PLATFORMS:e} on another platform"),
        ),
        Policy::Relative(tolerance) => (relative <= tolerance, format!("within {tolerance:e}")),
        Policy::StandardErrors => {
            let joint = old.error.unwrap_or(0.0).hypot(new.error.unwrap_or(0.0));
            (step <= 4.0 * joint, format!("within four joint standard errors of {joint:.3e}"))
        }
    };
    (!allowed).then(|| Drift {
        name: name.to_owned(),
        stored: format!("{:?}", old.value),
        fresh: format!("{:?} ({relative:.1e} off)", new.value),
        policy,
        severity: Severity::Number,
    })
}

fn table_drift(name: &str, old: &Table, new: &Table, same_platform: bool) -> Option<Drift> {
    let (stored, fresh) = (old.to_csv(), new.to_csv());
    if stored == fresh {
        return None;
    }
    let policy = if same_platform {
        "the same bytes".to_owned()
    } else {
        format!("cells within {ACROSS_PLATFORMS:e} on another platform")
    };
    let close = |a: &str, b: &str| {
        a == b
            || !same_platform
                && match (a.parse::<f64>(), b.parse::<f64>()) {
                    (Ok(a), Ok(b)) => (a - b).abs() <= ACROSS_PLATFORMS * a.abs().max(b.abs()),
                    _ => false,
                }
    };
    let cells = |text: &str| {
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let (stored, fresh): (Vec<Vec<String>>, Vec<Vec<String>>) = (cells(&stored), cells(&fresh));
    let shape =
        |table: &Vec<Vec<String>>| format!("{} lines of {} cells", table.len(), table[0].len());
    let mut drift = Drift {
        name: name.to_owned(),
        stored: shape(&stored),
        fresh: shape(&fresh),
        policy,
        severity: Severity::Structure,
    };
    if stored.len() != fresh.len() || stored[0] != fresh[0] {
        return Some(drift);
    }
    let mut differing = stored.iter().zip(&fresh).enumerate().flat_map(|(line, (old, new))| {
        old.iter().zip(new).enumerate().map(move |(column, (old, new))| (line, column, old, new))
    });
    let (line, column, old, new) = differing.find(|(_, _, old, new)| !close(old, new))?;
    let more = differing.filter(|(_, _, old, new)| !close(old, new)).count();
    drift.name = format!("{name}, line {}, {}, and {more} more cells", line + 1, stored[0][column]);
    drift.stored = old.clone();
    drift.fresh = new.clone();
    drift.severity = Severity::Number;
    Some(drift)
}
