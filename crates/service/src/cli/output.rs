//! What commands print.

use std::fmt::Arguments;
use std::io::{self, ErrorKind, Write};

/// Prints a line. `println!` would panic if that is not possible.
macro_rules! print_line {
    ($($text:tt)*) => {
        $crate::cli::output::print(format_args!($($text)*))?
    };
}

pub(super) use print_line;

/// Tells the user something on stderr, which may have no reader any more. `eprintln!` would panic then, in the middle
/// of the work.
macro_rules! tell_line {
    ($($text:tt)*) => {
        $crate::cli::output::tell(format_args!($($text)*))
    };
}

pub(super) use tell_line;

/// Prints a line. A reader that has closed the pipe has read enough.
///
/// # Errors
/// If the output cannot be written for another reason.
pub(super) fn print(line: Arguments<'_>) -> Result<(), String> {
    match writeln!(io::stdout(), "{line}") {
        Err(error) if error.kind() != ErrorKind::BrokenPipe => {
            Err(format!("the output cannot be written ({error})"))
        }
        _ => Ok(()),
    }
}

/// Writes a line to stderr, if that is possible.
pub(super) fn tell(line: Arguments<'_>) {
    let _ = writeln!(io::stderr(), "{line}");
}
