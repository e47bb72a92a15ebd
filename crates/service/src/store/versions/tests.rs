use lead_workspace_api::{LeadField, LeadQuery};
use lead_workspace_index::ColumnId;

use super::record_change_of_other_process;
use crate::demo;
use crate::store::{Db, Filters, Store, Tenant, open_shared};

const TENANT: Tenant = Tenant(1);

/// How many of the first ten leads have the headline "new", and how many leads are approved by the column in
/// memory.
async fn seen(store: &Store) -> (usize, usize) {
    let query = LeadQuery {
        page_size: 10,
        ..LeadQuery::default()
    };
    let page = store.query_leads(TENANT, Filters::default(), query);
    let leads = page.await.unwrap().decode().data;
    let new = leads
        .iter()
        .filter(|lead| lead.headline.as_deref() == Some("new"));
    let columns = store.columns();
    let read = move |db: Db<'_>| {
        let id = ColumnId::Lead(LeadField::ApprovalStatus);
        let columns = columns.read(db, TENANT, &[id])?.unwrap();
        Ok(columns.get(id).rows_of_value(&"approved".into()).len())
    };
    (new.count(), store.read(read).await.unwrap())
}

/// Two changes of the service share a commit, which fails. Then another process makes as many changes, or one
/// less, or one more.
#[tokio::test]
async fn versions_that_were_not_committed_are_not_those_of_another_process() {
    for changes in 1..=3 {
        let dir = tempfile::tempdir().unwrap();
        let store = Store::open(dir.path()).unwrap();
        demo::fill(&store, TENANT, 60, 3, demo::EXAMPLE_NOW, |_, _, _| {})
            .await
            .unwrap();
        store.load_columns().await.unwrap();
        seen(&store).await;
        let (go_on, goes_on) = std::sync::mpsc::channel();
        let first = move |db: Db<'_>| {
            goes_on.recv().unwrap();
            let sql = "UPDATE leads SET approval_status = 'filtered' WHERE id = 1";
            Ok(db.sqlite().execute_batch(sql)?)
        };
        let second = |db: Db<'_>| {
            let sql = "PRAGMA defer_foreign_keys = ON; UPDATE leads SET account = -1 WHERE id = 2";
            Ok(db.sqlite().execute_batch(sql)?)
        };
        let in_task = store.clone();
        let first =
            tokio::spawn(async move { in_task.change(Some(TENANT), first, |()| Some(&[])).await });
        let in_task = store.clone();
        let second =
            tokio::spawn(async move { in_task.change(Some(TENANT), second, |()| Some(&[])).await });
        // Both run up to their first await, so both changes are queued.
        tokio::task::yield_now().await;
        go_on.send(()).unwrap();
        for failed in [first, second] {
            failed.await.unwrap().unwrap_err();
        }
        let mut other = open_shared(dir.path()).unwrap();
        for _ in 0..changes {
            let change = other.transaction().unwrap();
            record_change_of_other_process(Db::from(&*change), TENANT).unwrap();
            let approve = "UPDATE leads SET approval_status = 'approved', headline = 'new'";
            change.execute_batch(approve).unwrap();
            change.commit().unwrap();
        }
        let (new, approved) = seen(&store).await;
        assert_eq!(new, 10, "after {changes}");
        assert_eq!(approved, 60, "after {changes}");
    }
}
