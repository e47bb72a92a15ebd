//! Texts of errors.

/// 401: no key.
pub const KEY_REQUIRED: &str = "an API key is required: Authorization: Bearer <API_KEY>";
/// 401: another form of the header.
pub const KEY_MALFORMED: &str = "the Authorization header must be: Bearer <API_KEY>";
/// 401: an unknown key.
pub const KEY_INVALID: &str = "the API key is not valid";

/// 403: the key does not open the workspace.
pub fn no_access(tenant_id: &str) -> String {
    format!("the API key has no access to the workspace {tenant_id:?}")
}

/// 404: an unknown id.
pub fn unknown_id(noun: &str, id: &str) -> String {
    format!("no {noun} has the id {id:?}")
}

/// 404: an unknown path.
pub fn unknown_path(path: &str) -> String {
    format!("{path} does not exist")
}

/// 405: the path exists, the method does not.
pub fn method_not_allowed(method: &str, path: &str) -> String {
    format!("{method} is not allowed on {path}")
}

/// 413: a body that is too large.
pub fn too_large(bytes: usize) -> String {
    format!("the body is larger than {bytes} bytes; nothing was changed")
}
