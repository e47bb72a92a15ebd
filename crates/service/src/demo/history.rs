//! What a demo workspace has besides its leads: a name, and who decided on them.

use jiff::Timestamp;
use lead_workspace_demo::{Demo, REVIEWERS, WORKSPACE_NAME};

use crate::scope::Scope;
use crate::store::Store;
use crate::store::audit::{Actor, Decision, record_decision};
use crate::store::db::{Db, params};
use crate::store::{StoreError, Tenant, keys, workspaces};
use crate::time::iso;

/// Entries of the audit log per change.
const ENTRIES: usize = 1000;

/// A decision that is not recorded yet.
struct Decided {
    at: String,
    by: usize,
    lead_id: String,
    status: String,
}

/// Names the workspace, unless it has a name.
///
/// # Errors
/// Those of the store.
pub async fn add_name(store: &Store, tenant: Tenant) -> Result<(), StoreError> {
    store
        .write(move |db| workspaces::name_if_unnamed(db, tenant, WORKSPACE_NAME))
        .await
}

/// Records the decisions on the demo leads in the audit log, as made with keys of several people. Decisions that are in
/// the log are not recorded again.
///
/// # Errors
/// Those of the store. What was recorded before stays.
pub async fn add_decisions(
    store: &Store,
    tenant: Tenant,
    seed: u64,
    now: Timestamp,
) -> Result<(), StoreError> {
    // Decisions need no companies.
    let demo = Demo::new(seed, 0, now);
    let keys_since = iso(demo.catalog.senders[0].created_at);
    let mut decided = store.read(move |db| read(db, tenant, &demo)).await?;
    // The oldest entry of the log is the first.
    decided.sort_by(|one, next| (&one.at, &one.lead_id).cmp(&(&next.at, &next.lead_id)));
    let last: Vec<Option<String>> = (0..REVIEWERS.len())
        .map(|by| {
            decided
                .iter()
                .rfind(|one| one.by == by)
                .map(|one| one.at.clone())
        })
        .collect();
    if last.iter().all(Option::is_none) {
        return Ok(());
    }
    store
        .write(move |db| {
            let keys = REVIEWERS.iter().zip(&last);
            keys.into_iter().try_for_each(|(reviewer, last)| {
                let known = keys::KnownKey {
                    key_id: reviewer.key_id,
                    name: reviewer.name,
                    scope: Scope::Decide,
                    created_at: &keys_since,
                    last_used_at: last.as_deref(),
                };
                keys::create_without_secret(db, tenant, &known)
            })
        })
        .await?;
    while !decided.is_empty() {
        let batch: Vec<Decided> = decided.drain(..decided.len().min(ENTRIES)).collect();
        store.write(move |db| record(db, tenant, &batch)).await?;
    }
    Ok(())
}

/// Reads the decided demo leads whose decision is not in the log. They are recognized by their
/// reserved domain.
fn read(db: Db<'_>, tenant: Tenant, demo: &Demo) -> Result<Vec<Decided>, StoreError> {
    let sql = "SELECT l.lead_id, l.approval_status, l.created_at,
                 (SELECT min(c.created_at) FROM campaign_leads c
                  WHERE c.tenant = ?1 AND c.lead = l.id)
               FROM leads l
               WHERE l.tenant = ?1 AND l.approval_status <> 'pending_approval'
                 AND l.profile_url LIKE 'https://profiles.example/%'
                 AND l.lead_id NOT IN (SELECT a.lead_id FROM audit_log a
                   WHERE a.tenant = ?1 AND a.action = 'decide' AND a.lead_id IS NOT NULL)";
    let rows: Vec<(String, String, String, Option<String>)> =
        db.rows(sql, params![tenant.0], |row| {
            Ok((row.get(0)?, row.get(1)?, row.get(2)?, row.get(3)?))
        })?;
    let decided = rows
        .into_iter()
        .filter_map(|(lead_id, status, created, contacted)| {
            let contacted = contacted.and_then(|time| time.parse().ok());
            let decision = demo.decision(&lead_id, &status, created.parse().ok()?, contacted);
            Some(Decided {
                at: iso(decision.at),
                by: decision.by,
                lead_id,
                status,
            })
        });
    Ok(decided.collect())
}

fn record(db: Db<'_>, tenant: Tenant, decided: &[Decided]) -> Result<(), StoreError> {
    let actors = REVIEWERS.iter().map(|reviewer| Actor {
        key_id: reviewer.key_id.to_owned(),
        request_id: String::new(),
    });
    let actors: Vec<_> = actors.collect();
    decided.iter().try_for_each(|decided| {
        let decision = Decision {
            actor: &actors[decided.by],
            at: &decided.at,
            lead_id: &decided.lead_id,
            from: Some("pending_approval"),
            to: &decided.status,
            import: None,
        };
        record_decision(db, tenant, &decision)
    })
}
