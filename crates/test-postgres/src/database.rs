//! The database of one test.

use std::sync::atomic::Ordering;
use std::thread;

use crate::Server;

/// The database that [`Server::database`] copies.
const TEMPLATE: &str = "prepared";

/// A database for one test. It is deleted when this is dropped, with connections that are still open.
pub struct Database {
    pub(crate) server: &'static Server,
    /// Of a distributed database, those with its rows.
    pub(crate) workers: &'static [Server],
    pub(crate) name: String,
}

impl Server {
    /// Makes a database for one test. `prepare` fills the one that all are copied from, by its URL, when the
    /// first is made; it is the same in all calls of a program, and must not keep a connection.
    ///
    /// # Panics
    /// When that fails.
    pub fn database(&'static self, prepare: fn(&str)) -> Database {
        self.prepared.get_or_init(|| {
            self.run("createdb", &[TEMPLATE]);
            prepare(&self.url(TEMPLATE));
        });
        self.copy_of(TEMPLATE)
    }

    /// Makes a database without tables.
    ///
    /// # Panics
    /// When that fails.
    pub fn empty_database(&'static self) -> Database {
        self.copy_of("template0")
    }

    fn copy_of(&'static self, template: &str) -> Database {
        let number = self.databases.fetch_add(1, Ordering::Relaxed);
        let name = format!("test_{number}");
        self.run("createdb", &["--template", template, &name]);
        Database {
            server: self,
            workers: &[],
            name,
        }
    }
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
