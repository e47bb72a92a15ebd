//! How large a request may be.
//!
//! spec: not shown; the contract limits pages alone. Without more limits one request could keep a
//! service busy for hours, so we set these. The service refuses what is larger and the client does
//! not send it.

/// Characters of a search text, of `q` and of a filter that looks into texts.
pub const SEARCH_CHARACTERS: u32 = 256;

/// Words of a search text.
pub const SEARCH_WORDS: u32 = 16;

/// Ids in one request. The client sends more in chunks.
pub const IDS: u32 = 10_000;

/// Filters of one query.
pub const FILTERS: u32 = 100;

/// Values of one filter.
pub const VALUES: u32 = 1_000;

/// Characters of one value of a filter.
pub const VALUE_CHARACTERS: u32 = 1_024;

/// Values of a facet in `selected`.
pub const SELECTED: u32 = 100;

/// Values in one body, of whatever kind: in memory each takes many times its text. Only our service
/// looks at it; what keeps the other limits stays far below, as a rule.
pub const BODY_VALUES: usize = 50_000;

/// Problems of one request that are told. One more entry says that there are others.
pub const PROBLEMS: usize = 100;

/// Bytes of an input that is repeated beside its problem, about. Longer texts are cut, larger
/// arrays and objects are told as null.
pub const ECHO_BYTES: usize = 1_024;
