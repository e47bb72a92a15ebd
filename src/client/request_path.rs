//! Which paths a request can have.

use lead_workspace_api::Quoted;

use super::text_search::replaced;

/// Returns why a path must not be sent, if it could resolve to another place than it seems to.
pub(super) fn refusal(path: &str) -> Option<String> {
    let (path_only, _) = path.split_once('?').unwrap_or((path, ""));
    let lower = path_only.to_ascii_lowercase();
    let is_dot_segment =
        |segment: &str| matches!(replaced(segment, "%2e", ".").as_str(), "." | "..");
    let is_forbidden = |c: char| c.is_whitespace() || c.is_control() || matches!(c, '#' | '\\');
    if !path.starts_with('/') || path.starts_with("//") {
        Some(format!(
            "the path {} must start with one slash, such as /api/…",
            Quoted(path)
        ))
    } else if path.contains(is_forbidden) {
        Some("the path contains a space, a # or another invalid character".into())
    } else if lower.split('/').any(is_dot_segment) {
        Some(format!(
            "the path {} contains a . or .. segment",
            Quoted(path)
        ))
    } else {
        None
    }
}
