//! `lead-workspace distribute`: has the extension Citus keep the rows of workspaces on several servers.

use clap::Args;

use super::database::DatabaseArgs;
use super::message;
use super::output::print_line;
use crate::store;

/// Distribute the tables of a PostgreSQL database over the servers of Citus.
///
/// The rows of a workspace are together on one server. Tables are made if there are none. On a database that is
/// distributed, this changes nothing. Otherwise no service may use it meanwhile, and rows that it has are copied to their
/// servers. Later versions distribute the tables that they add by themselves.
#[derive(Args)]
pub(super) struct DistributeArgs {
    #[command(flatten)]
    database: DatabaseArgs,
}

impl DistributeArgs {
    pub(super) fn run(self) -> Result<(), String> {
        let Some(target) = self.database.target().map_err(message)? else {
            return Err(
                "a data folder cannot be distributed. Nothing was changed. Name a PostgreSQL database with \
                 --database-file, --database or LEAD_WORKSPACE_DATABASE"
                    .into(),
            );
        };
        let done = store::distribute(&target).map_err(message)?;
        let servers = done.servers.join(", ");
        match done.tables {
            0 => {
                print_line!(
                    "The tables were distributed before, over {servers}. Nothing was changed."
                )
            }
            tables => print_line!("{tables} tables are distributed over {servers}."),
        }
        Ok(())
    }
}
