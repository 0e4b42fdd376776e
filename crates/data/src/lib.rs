//! Rows from anywhere: generated on demand, stored, read from files, fetched.
