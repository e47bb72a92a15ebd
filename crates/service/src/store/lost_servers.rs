//! Reads of all workspaces, some of whose servers may be gone.

use crate::store::db::Db;
use crate::store::error::StoreError;
use crate::store::handle::Store;
use crate::store::postgres::distribution;
use crate::store::tenant::Tenant;

impl Store {
    /// Reads something of all workspaces by one statement, for which `read` gets no workspace. If a server of a distributed
    /// database is gone, reads it of each workspace on the others instead.
    ///
    /// # Errors
    /// Those of the reads.
    pub(crate) async fn read_each<T: Send + 'static>(
        &self,
        read: impl Fn(Db<'_>, Option<Tenant>) -> Result<Vec<T>, StoreError> + Clone + Send + 'static,
    ) -> Result<Vec<T>, StoreError> {
        let all = read.clone();
        match self.read(move |db| all(db, None)).await {
            Err(StoreError::NodeLost { .. }) => {}
            read => return read,
        }
        let mut found = Vec::new();
        for tenant in self.read(distribution::reachable).await? {
            let one = read.clone();
            match self.read(move |db| one(db, Some(tenant))).await {
                Ok(of_one) => found.extend(of_one),
                // It went meanwhile.
                Err(StoreError::NodeLost { .. }) => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }
}
