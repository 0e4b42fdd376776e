//! A record in, a picture out.
