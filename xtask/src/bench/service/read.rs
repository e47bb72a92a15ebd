//! A read that is timed.

pub struct Read {
    pub name: String,
    pub method: &'static str,
    pub path: String,
    pub body: String,
}

impl Read {
    pub fn is_facets(&self) -> bool {
        self.name.starts_with("facets")
    }
}
