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
    /// Its severity.
    pub severity: Severity,
}

/// The severity of a difference.
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
    ];
    for (name, old, new) in heads {
        differ(&mut drifts, name, &old, &new);
    }
    // Notes quote numbers, which another platform may round otherwise.
    if same_platform {
        differ(&mut drifts, "notes", &stored.notes.join(" "), &fresh.notes.join(" "));
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

/// Pairs entries by name and reports those without a partner.
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
    let joint = old.error.unwrap_or(0.0).hypot(new.error.unwrap_or(0.0));
    let (allowed, policy) = match old.policy {
        Policy::Relative(tolerance) => (relative <= tolerance, format!("within {tolerance:e}")),
        _ if same_platform => {
            (step == 0.0 && old.error == new.error, "the same bits, error bars included".to_owned())
        }
        Policy::Exact => (
            relative <= ACROSS_PLATFORMS,
            format!("within {ACROSS_PLATFORMS:e} on another platform"),
        ),
        Policy::Rough => {
            let ratio = new.value / old.value;
            let near = new.value == old.value || (0.5..=2.0).contains(&ratio);
            (near, "within a factor of two on another platform".to_owned())
        }
        Policy::StandardErrors => (
            step <= 4.0 * joint,
            format!("within four joint standard errors of {joint:.3e} on another platform"),
        ),
    };
    let bar =
        |quantity: &Quantity| quantity.error.map_or(String::new(), |error| format!(" ± {error:?}"));
    (!allowed).then(|| Drift {
        name: name.to_owned(),
        stored: format!("{:?}{}", old.value, bar(old)),
        fresh: format!("{:?}{} ({relative:.1e} off)", new.value, bar(new)),
        policy,
        severity: Severity::Number,
    })
}

/// Raw values must come out byte by byte on the same platform. On another one chains
/// diverge after a difference in the last digit, so only the shape is compared, and the quantities by
/// their policies.
fn table_drift(name: &str, old: &Table, new: &Table, same_platform: bool) -> Option<Drift> {
    let (stored, fresh) = (old.to_csv(), new.to_csv());
    if stored == fresh {
        return None;
    }
    let cells = |text: &str| -> Vec<Vec<String>> {
        text.lines().map(|line| line.split(',').map(str::to_owned).collect()).collect()
    };
    let (stored, fresh) = (cells(&stored), cells(&fresh));
    let shape =
        |table: &Vec<Vec<String>>| format!("{} lines of {}", table.len(), table[0].join(","));
    let mut drift = Drift {
        name: name.to_owned(),
        stored: shape(&stored),
        fresh: shape(&fresh),
        policy: "the same columns and rows".to_owned(),
        severity: Severity::Structure,
    };
    if stored.len() != fresh.len() || stored[0] != fresh[0] {
        return Some(drift);
    }
    if !same_platform {
        return None;
    }
    let mut differing = stored.iter().zip(&fresh).enumerate().flat_map(|(line, (old, new))| {
        let pairs = old.iter().zip(new).enumerate();
        pairs.filter(|(_, (old, new))| old != new).map(move |(column, pair)| (line, column, pair))
    });
    let (line, column, (old, new)) = differing.next()?;
    let more = differing.count();
    drift.name = format!("{name}, line {}, {}, and {more} more cells", line + 1, stored[0][column]);
    drift.stored = old.clone();
    drift.fresh = new.clone();
    drift.policy = "the same bytes".to_owned();
    drift.severity = Severity::Number;
    Some(drift)
}
