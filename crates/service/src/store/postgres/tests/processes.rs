//! What processes on one database share.

use std::time::{Duration, Instant};

use super::{database, open};
use crate::store::change_signals::ChangeSignals;
use crate::store::db::Db;
use crate::store::keys::{self, Access};
use crate::store::tenant::Tenant;

#[tokio::test]
async fn processes_share_the_rate_limit() {
    let database = database();
    let (one, other) = (open(&database).await, open(&database).await);
    let tenant = Tenant(1);
    for process in [&one, &other, &one, &other] {
        let taken = process.take_requests(tenant, 25, 100).await;
        assert_eq!(taken.unwrap(), None);
    }
    let wait = other.take_requests(tenant, 25, 100).await.unwrap().unwrap();
    assert!(wait <= Duration::from_millis(250), "{wait:?}");
    // Half a second later, half of the requests can be taken again.
    database.sql("UPDATE rate_limits SET used_until = used_until - 500000");
    assert_eq!(one.take_requests(tenant, 50, 100).await.unwrap(), None);
}

#[tokio::test]
async fn a_revoked_key_is_refused_by_other_processes() {
    let database = database();
    let (one, other) = (open(&database).await, open(&database).await);
    let create = |db: Db<'_>| keys::create(db, "test", &["default"]);
    let key = one.write(None, create).await.unwrap();
    let is_valid = async || {
        let access = other.check_key(&key.text, None).await.unwrap();
        matches!(access, Access::Granted(_))
    };
    assert!(is_valid().await);
    let (valid, id) = (Instant::now(), key.key_id.clone());
    let revoke = move |db: Db<'_>| keys::revoke(db, &id);
    assert!(one.write(None, revoke).await.unwrap());
    while is_valid().await {
        assert!(valid.elapsed() < Duration::from_secs(10));
        tokio::task::yield_now().await;
    }
}

#[tokio::test]
async fn changes_are_announced_to_other_processes() {
    let database = database();
    let (one, other) = (open(&database).await, open(&database).await);
    let signals = ChangeSignals::default();
    let signal = signals.follow(Tenant(1));
    let not_followed = signals.follow(Tenant(2));
    let notified = async || {
        let waited = tokio::time::timeout(Duration::from_secs(60), signal.notified());
        waited.await.expect("nothing was announced");
    };
    let _listener = other.listen(signals.clone());
    // When it begins to listen, something may have changed before.
    notified().await;
    not_followed.notified().await;
    one.announce(Some(Tenant(1)));
    notified().await;
    one.announce(None);
    notified().await;
    not_followed.notified().await;
}
