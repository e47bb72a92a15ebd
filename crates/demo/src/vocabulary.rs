//! Words that the demo data is made of.

pub(crate) mod industries;
pub(crate) mod names;
pub(crate) mod places;
pub(crate) mod titles;
pub(crate) mod words;
