//! Size limits of requests.
//!
//! spec: not shown; the contract limits only pages. Without more limits, one request could keep a service
//! busy for hours, so we set these. The service rejects larger requests, and the client does not send them.

/// Maximum characters of a search text, of `q`, and of the value of a filter that searches inside texts.
pub const SEARCH_CHARACTERS: u32 = 256;

/// Maximum words of a search text.
pub const SEARCH_WORDS: u32 = 16;

/// Maximum ids in one request. The client sends more in chunks.
pub const IDS: u32 = 10_000;

/// Maximum filters of one query.
pub const FILTERS: u32 = 100;

/// Maximum values of one filter.
pub const VALUES: u32 = 1_000;

/// Maximum characters of one value of a filter.
pub const VALUE_CHARACTERS: u32 = 1_024;

/// Maximum custom fields of a workspace that can be queried. The values of others are kept with the leads.
pub const CUSTOM_KEYS: usize = 500;

/// Maximum characters of the key of such a field.
pub const CUSTOM_KEY_CHARACTERS: u32 = 200;

/// Maximum different values of a custom field with a facet.
pub const CUSTOM_FACET_VALUES: usize = 1_000;

/// Maximum facets of one request.
pub const FACETS: u32 = 40;

/// Maximum values of a facet in `selected`.
pub const SELECTED: u32 = 100;

/// Maximum JSON values in one body: in memory, each takes many times the size of its text.
///
/// Only our service checks it. Requests within the other limits normally stay far below.
pub const BODY_VALUES: usize = 50_000;

/// Maximum problems reported for one request. One more entry states that there are others.
pub const PROBLEMS: usize = 100;

/// Approximate maximum bytes of the input that an error entry repeats.
///
/// Longer texts are cut; larger arrays and objects are replaced by null.
pub const ECHO_BYTES: usize = 1_024;
