//! What reads a file in any encoding.

use std::io::BufRead;

pub(crate) const BUFFER: usize = 64 * 1024;

/// A file as bytes of UTF-8 or Windows-1252.
pub type TextReader = Box<dyn BufRead + Send>;
