//! A claim of the paper or of this suite, and the verdict that follows from the record.

/// The verdict on a claim.
#[derive(
    Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, serde::Serialize, serde::Deserialize,
)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    /// It holds as stated.
    Reproduced,
    /// It holds when read in a way that the sentence states.
    ReproducedUnderReading,
    /// It does not hold here.
    NotReproduced,
    /// It contradicts itself or its own formula.
    WrongAsPrinted,
}

impl Verdict {
    /// All verdicts, the best first.
    pub const ALL: [Verdict; 4] = [
        Verdict::Reproduced,
        Verdict::ReproducedUnderReading,
        Verdict::NotReproduced,
        Verdict::WrongAsPrinted,
    ];

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::ReproducedUnderReading => "reproduced under a stated reading",
            Verdict::NotReproduced => "not reproduced",
            Verdict::WrongAsPrinted => "wrong as printed",
        }
    }
}

/// A claim with its verdict. The verdict is computed from a record by the rule that is stated.
#[derive(Clone, Debug, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Claim {
    /// `experiment/word`.
    pub id: String,
    /// What is claimed.
    pub statement: String,
    /// The value in print.
    pub printed: String,
    /// Our value with its uncertainty.
    pub ours: String,
    /// How the verdict follows from the record.
    pub rule: String,
    /// The verdict.
    pub verdict: Verdict,
    /// The finding in one sentence.
    pub sentence: String,
}
