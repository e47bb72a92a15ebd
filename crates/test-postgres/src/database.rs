//! The database of one test.

use std::thread;

use crate::Server;

/// A database for one test. It is deleted when this is dropped, with connections that are still open.
pub struct Database {
    pub(crate) server: &'static Server,
    /// Of a distributed database, those with its rows.
    pub(crate) workers: &'static [Server],
    pub(crate) name: String,
}

impl Database {
    pub fn url(&self) -> String {
        self.server.url(&self.name)
    }

    pub fn name(&self) -> &str {
        &self.name
    }

    /// Runs statements, and returns the rows of the last one: a line each, values divided by `|`.
    ///
    /// # Panics
    /// When one fails.
    pub fn sql(&self, statements: &str) -> String {
        self.server.sql(&self.name, statements)
    }
}

impl Drop for Database {
    fn drop(&mut self) {
        if !thread::panicking() {
            let arguments = ["--force", "--if-exists", &self.name];
            for server in std::iter::once(self.server).chain(self.workers) {
                server.run("dropdb", &arguments);
            }
        }
    }
}
