//! The database of one test.

use std::thread;

use crate::Server;

/// A database for one test. It is deleted when this is dropped, with connections that are still open.
pub struct Database {
    pub(crate) server: &'static Server,
    pub(crate) name: String,
}

impl Database {
    pub fn url(&self) -> String {
        self.server.url(&self.name)
    }

    /// Runs statements, and returns the rows of the last one: a line each, values divided by `|`.
    ///
    /// # Panics
    /// When one fails.
    pub fn sql(&self, statements: &str) -> String {
        let arguments = ["--quiet", "--no-psqlrc", "--tuples-only", "--no-align"];
        let more = ["--set", "ON_ERROR_STOP=1", "--dbname", &self.name];
        let command = ["--command", statements];
        let arguments = [&arguments[..], &more, &command].concat();
        self.server.run("psql", &arguments).trim_end().to_owned()
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if !thread::panicking() {
            let arguments = ["--force", "--if-exists", &self.name];
            self.server.run("dropdb", &arguments);
        }
    }
}
