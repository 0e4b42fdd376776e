//! What a kind of evidence says: a question, an answer, tables, and what went wrong.

use serde::{Deserialize, Serialize};

/// One kind of evidence, as it is kept and shown.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Evidence {
    /// What a sceptic would ask.
    pub question: String,
    /// The answer in one line, with its numbers.
    pub answer: String,
    /// The numbers behind it.
    pub tables: Vec<Table>,
    /// What a reader has to know about the tables.
    pub notes: Vec<String>,
    /// What did not hold; nothing of this may be left.
    pub failures: Vec<String>,
}

/// A table of the page.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Table {
    /// What it shows.
    pub caption: String,
    /// The heads of the columns.
    pub columns: Vec<String>,
    /// Rows, as wide as the head.
    pub rows: Vec<Vec<String>>,
}

impl Table {
    /// A table without rows.
    pub fn new(caption: &str, columns: &[&str]) -> Table {
        Table {
            caption: caption.to_owned(),
            columns: columns.iter().map(|&column| column.to_owned()).collect(),
            rows: Vec::new(),
        }
    }

    /// Appends a row.
    pub fn push<const N: usize>(&mut self, cells: [String; N]) {
        debug_assert_eq!(N, self.columns.len(), "a row is as wide as its table");
        self.rows.push(cells.to_vec());
    }
}

impl Evidence {
    /// The question, still without an answer.
    pub fn about(question: &str) -> Evidence {
        Evidence { question: question.to_owned(), ..Evidence::default() }
    }

    /// Whether everything held.
    pub fn holds(&self) -> bool {
        self.failures.is_empty()
    }
}

/// "1 test", "2 tests".
pub fn counted(count: usize, thing: &str) -> String {
    format!("{count} {thing}{}", if count == 1 { "" } else { "s" })
}
