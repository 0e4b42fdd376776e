//! One file a question.
