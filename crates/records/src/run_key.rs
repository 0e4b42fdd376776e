//! What a chunk of replicates depends on.

use crate::digest;
use serde_json::Value;

/// The identity of a run: chunks made under another one are of no use.
#[derive(Clone, Debug, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct RunKey {
    /// Everything that was chosen.
    pub settings: Value,
    /// The seed.
    pub seed: u64,
    /// Identities of the data sets.
    pub data: Vec<String>,
    /// Digest of the sources that make numbers.
    pub code: String,
}

impl RunKey {
    /// The digest under which chunks are kept.
    pub fn digest(&self) -> String {
        digest(&serde_json::to_vec(self).expect("a key holds nothing that JSON cannot"))
    }

    /// What changed since another key, in words; nothing if they are the same.
    pub fn changes_since(&self, before: &RunKey) -> Vec<String> {
        let mut changes = Vec::new();
        settings_changes("", &before.settings, &self.settings, &mut changes);
        if before.seed != self.seed {
            changes.push(format!("seed {} became {}", before.seed, self.seed));
        }
        if before.data != self.data {
            changes.push("the data changed".to_owned());
        }
        if before.code != self.code {
            changes.push("the code changed".to_owned());
        }
        changes
    }
}

fn settings_changes(name: &str, before: &Value, now: &Value, changes: &mut Vec<String>) {
    match (before, now) {
        _ if before == now => {}
        (Value::Object(old), Value::Object(new)) => {
            let keys = old.keys().chain(new.keys().filter(|key| !old.contains_key(*key)));
            for key in keys {
                let null = Value::Null;
                let pair = (old.get(key).unwrap_or(&null), new.get(key).unwrap_or(&null));
                let name = if name.is_empty() { key.clone() } else { format!("{name}.{key}") };
                settings_changes(&name, pair.0, pair.1, changes);
            }
        }
        _ => changes.push(format!("setting {name} {before} became {now}")),
    }
}
