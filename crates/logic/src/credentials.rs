//! The headers that select the caller and the workspace.

/// Returns the key in an Authorization header; `None` if it has another form.
pub fn bearer(header: &str) -> Option<&str> {
    let (scheme, key) = header.split_once(' ')?;
    scheme.eq_ignore_ascii_case("bearer").then(|| key.trim())
}

/// Returns the workspace that the header `x-tenant-id` selects.
///
/// spec: not shown; the header selects one of the key's workspaces. No header, an empty one or "null"
/// selects the key's first.
pub fn tenant_id(header: &str) -> Option<&str> {
    Some(header.trim()).filter(|id| !matches!(*id, "" | "null"))
}
