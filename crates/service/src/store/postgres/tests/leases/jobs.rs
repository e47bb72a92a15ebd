//! Each job is run by one process at a time, and each of its steps is written once.

use std::collections::HashSet;

use lead_workspace_api::LeadScoring;

use super::{ONE, Process, overlapping, set_clock};
use crate::store::db::{Db, params};
use crate::store::error::StoreError;
use crate::store::jobs::job_queue::{self, LeasedJob, StepOutcome, enqueue_lead_scoring};
use crate::store::jobs::lease::LeaseClock;
use crate::store::postgres::tests::database;
use crate::store::tenant::Tenant;

/// Adds leads, and a job over them.
fn add_job(db: Db<'_>, tenant: Tenant, leads: i64) -> Result<(), StoreError> {
    for lead in 0..leads {
        let sql = "INSERT INTO leads (tenant, lead_id, created_at) VALUES (?1, ?2, '')";
        db.execute(sql, params![tenant.0, format!("lead {lead}")])?;
    }
    enqueue_lead_scoring(db, tenant, &LeadScoring::default()).map(drop)
}

fn take(db: Db<'_>) -> Result<Option<LeasedJob>, StoreError> {
    match job_queue::next_job(db, &[], None)? {
        Some((id, tenant)) => job_queue::lease(db, tenant, id),
        None => Ok(None),
    }
}

/// Runs a step of one lead, and marks the lead; a second mark would be visible.
fn step(db: Db<'_>, job: &LeasedJob) -> Result<StepOutcome, StoreError> {
    let Some(targets) = job.targets(db, 1)? else {
        return Ok(StepOutcome::Lost);
    };
    job.step(db, &targets, || {
        for lead in &targets.ids {
            let sql = "UPDATE leads SET headline = coalesce(headline, '') || 'x'
                       WHERE tenant = ?1 AND id = ?2";
            db.execute(sql, params![job.tenant.0, lead])?;
        }
        Ok(targets.ids.len() as i64)
    })
}

fn status(db: Db<'_>) -> Result<String, StoreError> {
    let sql = "SELECT status || ' ' || done || ' of ' || total FROM jobs WHERE tenant = 1";
    db.value(sql, &[])
}

#[tokio::test]
async fn a_job_is_taken_by_one_of_two_processes() {
    let database = database();
    let (one, two) = (Process::on(&database).await, Process::on(&database).await);
    one.run(|db| add_job(db, ONE, 1)).await;
    let (first, second) = overlapping(&database, (&one, take), (&two, take)).await;
    assert!(first.is_some());
    assert!(second.is_none());
}

/// In the order in which they were requested.
#[tokio::test]
async fn a_workspace_has_one_running_job() {
    let database = database();
    let (one, two) = (Process::on(&database).await, Process::on(&database).await);
    one.run(|db| {
        add_job(db, ONE, 1)?;
        enqueue_lead_scoring(db, ONE, &LeadScoring::default()).map(drop)
    })
    .await;
    let (first, second) = overlapping(
        &database,
        (&one, take),
        // It does not see that the other has taken the first job.
        (&two, |db| job_queue::lease(db, ONE, 2)),
    )
    .await;
    let first = first.unwrap();
    assert!(second.is_none());
    assert!(two.run(take).await.is_none());
    one.run(move |db| {
        step(db, &first)?;
        assert_eq!(step(db, &first)?, StepOutcome::Finished);
        Ok(())
    })
    .await;
    assert!(two.run(take).await.is_some());
}

#[tokio::test]
async fn several_processes_take_each_job_once() {
    let database = database();
    let one = Process::on(&database).await;
    one.run(|db| {
        for number in 0..20 {
            let tenant = Tenant::ensure(db, &format!("workspace {number}"))?;
            add_job(db, tenant, 1)?;
        }
        Ok(())
    })
    .await;
    let take_all = async |process: Process| {
        let mut taken = Vec::new();
        // As a worker does: a read, then a change.
        while let Some((id, tenant)) = process
            .0
            .read(None, |db| job_queue::next_job(db, &[], None))
            .await
            .unwrap()
        {
            let job = process
                .run(move |db| job_queue::lease(db, tenant, id))
                .await;
            taken.extend(job.map(|job| job.job_id));
        }
        taken
    };
    let (two, three) = (Process::on(&database).await, Process::on(&database).await);
    let taken = tokio::join!(take_all(one), take_all(two), take_all(three));
    let taken = [taken.0, taken.1, taken.2].concat();
    assert_eq!(taken.len(), 20);
    assert_eq!(taken.into_iter().collect::<HashSet<_>>().len(), 20);
}

/// The clock is that of the server, which is years ahead of ours.
#[tokio::test]
async fn a_job_whose_lease_has_run_out_is_taken_over() {
    let database = database();
    let (slow, other) = (Process::on(&database).await, Process::on(&database).await);
    set_clock(&database, "00:00");
    slow.run(|db| add_job(db, ONE, 3)).await;
    let job = slow.run(take).await.unwrap();
    let held = job.clone();
    assert_eq!(slow.run(move |db| step(db, &held)).await, StepOutcome::More);
    set_clock(&database, "01:00");
    assert!(other.run(take).await.is_none(), "the lease has not run out");

    // The slow process has computed its next step by then.
    let held = job.clone();
    let computed = slow.run(move |db| held.targets(db, 1)).await.unwrap();
    set_clock(&database, "01:01");
    let taken = other.run(take).await.unwrap();
    let held = job.clone();
    let late = slow
        .run(move |db| held.step(db, &computed, || panic!("another process has the job")))
        .await;
    assert_eq!(late, StepOutcome::Lost);
    slow.run(move |db| {
        let clock = LeaseClock::read(db)?;
        job.renew(db, &clock)?;
        job.fail(db, "too late")?;
        job.release(db)?;
        assert_eq!(step(db, &job)?, StepOutcome::Lost);
        Ok(())
    })
    .await;
    other
        .run(move |db| {
            while step(db, &taken)? == StepOutcome::More {}
            assert_eq!(status(db)?, "succeeded 3 of 3");
            Ok(())
        })
        .await;
    let marks = database.sql("SELECT string_agg(headline, ' ') FROM leads");
    assert_eq!(marks, "x x x");
}

/// Two processes believe that they hold the job, and write at the same time.
#[tokio::test]
async fn a_step_is_written_once() {
    let database = database();
    let (slow, other) = (Process::on(&database).await, Process::on(&database).await);
    set_clock(&database, "00:00");
    slow.run(|db| add_job(db, ONE, 1)).await;
    let job = slow.run(take).await.unwrap();
    set_clock(&database, "02:00");
    let take_and_step = |db: Db<'_>| {
        let job = take(db)?.unwrap();
        step(db, &job)
    };
    let both = overlapping(
        &database,
        (&other, take_and_step),
        (&slow, move |db| step(db, &job)),
    );
    assert_eq!(both.await, (StepOutcome::More, StepOutcome::Lost));
    assert_eq!(database.sql("SELECT headline FROM leads"), "x");
}

#[tokio::test]
async fn a_job_is_kept_as_long_as_its_lease_is_renewed() {
    let database = database();
    let (one, two) = (Process::on(&database).await, Process::on(&database).await);
    set_clock(&database, "00:00");
    one.run(|db| add_job(db, ONE, 3)).await;
    let job = one.run(take).await.unwrap();
    set_clock(&database, "00:50");
    let held = job.clone();
    one.run(move |db| held.renew(db, &LeaseClock::read(db)?))
        .await;
    set_clock(&database, "01:40");
    assert!(two.run(take).await.is_none());
    let held = job.clone();
    // A step renews it, too.
    one.run(move |db| step(db, &held)).await;
    set_clock(&database, "02:30");
    assert!(two.run(take).await.is_none());
    let held = job.clone();
    one.run(move |db| held.release(db)).await;
    assert!(two.run(take).await.is_some());
}

#[tokio::test]
async fn two_processes_create_a_workspace_once() {
    let database = database();
    let (one, two) = (Process::on(&database).await, Process::on(&database).await);
    let create = |db: Db<'_>| Tenant::ensure(db, "new");
    let (first, second) = overlapping(&database, (&one, create), (&two, create)).await;
    assert_eq!(first, second);
}
