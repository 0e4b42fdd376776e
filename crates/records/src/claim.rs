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
    /// The paper's data or setting cannot be had; what came out elsewhere is stated.
    NotTestableHere,
}

impl Verdict {
    /// All verdicts, the best first and the open one last.
    pub const ALL: [Verdict; 5] = [
        Verdict::Reproduced,
        Verdict::ReproducedUnderReading,
        Verdict::NotReproduced,
        Verdict::WrongAsPrinted,
        Verdict::NotTestableHere,
    ];

    /// Reproduced if it holds as stated, and else not.
    pub fn of(holds: bool) -> Verdict {
        Verdict::graded(holds, false)
    }

    /// Reproduced if it holds as stated, under a stated reading if it holds as it is read, and else not.
    pub fn graded(as_stated: bool, as_read: bool) -> Verdict {
        match (as_stated, as_read) {
            (true, _) => Verdict::Reproduced,
            (false, true) => Verdict::ReproducedUnderReading,
            (false, false) => Verdict::NotReproduced,
        }
    }

    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Verdict::Reproduced => "reproduced",
            Verdict::ReproducedUnderReading => "reproduced under a stated reading",
            Verdict::NotReproduced => "not reproduced",
            Verdict::WrongAsPrinted => "wrong as printed",
            Verdict::NotTestableHere => "not testable here",
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
    /// The verdict of the rule before, where it was changed after a result was known.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub former: String,
}

impl Claim {
    /// A claim of the paper with the value in print. Its verdict has to be added by [`Claim::judged`].
    pub fn printed(
        id: impl Into<String>,
        statement: impl Into<String>,
        printed: impl Into<String>,
    ) -> Claim {
        Claim {
            id: id.into(),
            statement: statement.into(),
            printed: printed.into(),
            ours: String::new(),
            rule: String::new(),
            verdict: Verdict::NotReproduced,
            sentence: String::new(),
            former: String::new(),
        }
    }

    /// A claim of ours, for which nothing is in print.
    pub fn ours(id: impl Into<String>, statement: impl Into<String>) -> Claim {
        Claim::printed(id, statement, "ours")
    }

    /// Whether it is a claim of ours.
    pub fn is_ours(&self) -> bool {
        self.printed == "ours"
    }

    /// Adds our value with its uncertainty.
    pub fn found(self, ours: impl Into<String>) -> Claim {
        Claim { ours: ours.into(), ..self }
    }

    /// Adds the rule by which the verdict follows from the record.
    pub fn rule(self, rule: impl Into<String>) -> Claim {
        Claim { rule: rule.into(), ..self }
    }

    /// Adds the verdict and a sentence for people.
    pub fn judged(self, verdict: Verdict, sentence: impl Into<String>) -> Claim {
        Claim { verdict, sentence: sentence.into(), ..self }
    }
    /// Adds a rule by which this was judged before, and its verdict.
    pub fn formerly(self, rule: &str, verdict: Verdict) -> Claim {
        let former = format!("By its former rule ({rule}): {}.", verdict.words());
        Claim { former, ..self }
    }

    /// The rule, and the verdict of the one before.
    pub fn rules(&self) -> String {
        format!("Rule: {}. {}", self.rule, self.former).trim_end().to_owned()
    }
}
