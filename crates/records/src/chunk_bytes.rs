//! A chunk of replicates as bytes, sealed with a checksum.
//!
//! ```text
//! magic 8 | key digest 64 | count u64 | width u64 | values f64… | depths u16… | costs 4 × u64… | SHA-256 64
//! ```
//!
//! All numbers are little-endian; the seal covers everything before it.

use crate::digest;
use debias::{Ledger, Replicates};

const MAGIC: &[u8; 8] = b"ubchunk1";
const DIGEST: usize = 64;
const HEADER: usize = 8 + DIGEST + 16;

/// Why bytes are no chunk of this run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Unsound {
    /// Cut off, or changed.
    Damaged,
    /// Of another run.
    OtherRun,
}

pub(crate) fn to_bytes(key: &str, chunk: &Replicates) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(HEADER + 42 * chunk.count() + DIGEST);
    bytes.extend_from_slice(MAGIC);
    bytes.extend_from_slice(key.as_bytes());
    bytes.extend_from_slice(&(chunk.count() as u64).to_le_bytes());
    bytes.extend_from_slice(&(chunk.width() as u64).to_le_bytes());
    chunk.values().iter().for_each(|value| bytes.extend_from_slice(&value.to_le_bytes()));
    chunk.depths().iter().for_each(|depth| bytes.extend_from_slice(&depth.to_le_bytes()));
    for cost in chunk.costs() {
        for part in [cost.likelihoods, cost.gradients, cost.distinct_rows, cost.flops] {
            bytes.extend_from_slice(&part.to_le_bytes());
        }
    }
    let seal = digest(&bytes);
    bytes.extend_from_slice(seal.as_bytes());
    bytes
}

pub(crate) fn from_bytes(key: &str, bytes: &[u8]) -> Result<Replicates, Unsound> {
    let body = bytes.len().checked_sub(DIGEST).map(|end| bytes.split_at(end));
    let (body, seal) = body.ok_or(Unsound::Damaged)?;
    if body.len() < HEADER || !body.starts_with(MAGIC) || digest(body).as_bytes() != seal {
        return Err(Unsound::Damaged);
    }
    if &body[8..8 + DIGEST] != key.as_bytes() {
        return Err(Unsound::OtherRun);
    }
    let words = |bytes: &[u8]| -> Vec<u64> {
        bytes
            .chunks_exact(8)
            .map(|word| u64::from_le_bytes(word.try_into().expect("eight bytes")))
            .collect()
    };
    let sizes = words(&body[8 + DIGEST..HEADER]);
    let (count, width) = (sizes[0] as usize, sizes[1] as usize);
    let rest = &body[HEADER..];
    let (values_end, depths_end) = (8 * width * count, 8 * width * count + 2 * count);
    // The seal was right, so the lengths are: this guards against a fault in the writer.
    if rest.len() != depths_end + 32 * count {
        return Err(Unsound::Damaged);
    }
    let values = words(&rest[..values_end]).into_iter().map(f64::from_bits).collect();
    let depths = rest[values_end..depths_end]
        .chunks_exact(2)
        .map(|half| u16::from_le_bytes(half.try_into().expect("two bytes")))
        .collect();
    let costs = words(&rest[depths_end..])
        .chunks_exact(4)
        .map(|part| Ledger {
            likelihoods: part[0],
            gradients: part[1],
            distinct_rows: part[2],
            flops: part[3],
        })
        .collect();
    Replicates::from_columns(width, values, depths, costs).ok_or(Unsound::Damaged)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk() -> Replicates {
        let cost = Ledger { likelihoods: 1, gradients: 2, distinct_rows: 3, flops: u64::MAX };
        Replicates::from_columns(2, vec![0.1, f64::NAN, -0.0, 1e308], vec![1, 9], vec![cost; 2])
            .unwrap()
    }

    #[test]
    fn every_cut_and_every_flipped_byte_is_noticed() {
        let key = "k".repeat(DIGEST);
        let bytes = to_bytes(&key, &chunk());
        let back = from_bytes(&key, &bytes).unwrap();
        assert_eq!(to_bytes(&key, &back), bytes);
        for length in 0..bytes.len() {
            assert_eq!(from_bytes(&key, &bytes[..length]), Err(Unsound::Damaged));
        }
        for place in 0..bytes.len() {
            let mut edited = bytes.clone();
            edited[place] ^= 1;
            assert_eq!(from_bytes(&key, &edited), Err(Unsound::Damaged), "byte {place}");
        }
        assert_eq!(from_bytes(&"j".repeat(DIGEST), &bytes), Err(Unsound::OtherRun));
    }
}
