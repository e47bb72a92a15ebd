//! Waiting for jobs.

use std::cell::RefCell;
use std::time::Duration;

use futures_util::future::{Either, join, select};
use lead_workspace::api::{Job, JobId, JobState};
use lead_workspace::client::runtime::Runtime;
use lead_workspace::client::{CallOptions, ErrorKind, Trouble};

use crate::support::{Answer, Wire, World, json, run, timed};

fn job(status: &str, progress: &str) -> Answer {
    json(
        200,
        &format!(r#"{{"job_id":"j","status":"{status}","progress":{progress}}}"#),
    )
}

fn id() -> JobId {
    JobId::new("j")
}

async fn later(seconds: u64) {
    World::default().sleep(Duration::from_secs(seconds)).await;
}

#[test]
fn a_job_is_looked_at_less_and_less_often_until_it_ends() {
    let wire = Wire::answering([
        job("queued", "0"),
        job("some_new_word", "0.25"),
        job("running", "{\"done\":1,\"total\":2}"),
        job("completed", "100"),
    ]);
    let seen = RefCell::new(Vec::new());
    let done = run(wire.client().wait_for_job(&id(), |job: &Job| {
        seen.borrow_mut().push(job.fraction().unwrap());
    }));
    assert_eq!(done.unwrap().state(), JobState::Succeeded);
    assert_eq!(seen.into_inner(), [0.0, 0.25, 0.5, 1.0]);
    let times = wire.times();
    let gaps: Vec<u128> = times
        .windows(2)
        .map(|pair| (pair[1] - pair[0]).as_millis())
        .collect();
    assert_eq!(gaps, [1000, 1500, 2250]);
}

#[test]
fn a_failed_job_is_an_end_like_any_other() {
    let wire = Wire::answering([job("failed", "0.5")]);
    let done = run(wire.client().wait_for_job(&id(), |_| {})).unwrap();
    assert_eq!(done.state(), JobState::Failed);
}

#[test]
fn not_found_means_not_yet_only_at_first() {
    let wire = Wire::answering([json(404, "{}"), json(404, "{}"), job("done", "1")]);
    run(wire.client().wait_for_job(&id(), |_| {})).unwrap();

    let wire = Wire::answering(std::iter::repeat_n(json(404, "{}"), 9));
    let (result, took) = timed(wire.client().wait_for_job(&id(), |_| {}));
    assert_eq!(result.unwrap_err().kind, ErrorKind::NotFound);
    assert!(took >= Duration::from_secs(10) && took < Duration::from_secs(20));
}

#[test]
fn two_waiters_share_one_look() {
    let wire = Wire::answering([job("running", "0"), job("running", "0.5"), job("done", "1")]);
    let client = wire.client();
    let other = client.clone();
    let (wait, id) = (id(), id());
    let late = async {
        later(1).await;
        other.wait_for_job(&id, |_| {}).await
    };
    let (first, second) = run(join(client.wait_for_job(&wait, |_| {}), late));
    assert_eq!(first.unwrap().state(), JobState::Succeeded);
    assert_eq!(second.unwrap().state(), JobState::Succeeded);
    assert_eq!(wire.sent().len(), 3);
}

#[test]
fn when_the_one_who_looks_leaves_another_goes_on() {
    let wire = Wire::answering([job("running", "0"), job("running", "0.5"), job("done", "1")]);
    let client = wire.client();
    let id = id();
    let leaves = async {
        let wait = std::pin::pin!(client.wait_for_job(&id, |_| {}));
        let patience = std::pin::pin!(later(2));
        assert!(matches!(select(wait, patience).await, Either::Right(_)));
    };
    let (done, ()) = run(join(client.wait_for_job(&id, |_| {}), leaves));
    assert_eq!(done.unwrap().state(), JobState::Succeeded);
}

#[test]
fn a_wait_has_its_deadline_and_the_job_goes_on() {
    let wire = Wire::answering(std::iter::repeat_n(job("running", "0"), 9));
    let client = wire.client().with_options(CallOptions {
        deadline: Some(Duration::from_secs(4)),
        ..CallOptions::default()
    });
    let (result, took) = timed(client.wait_for_job(&id(), |_| {}));
    let error = result.unwrap_err();
    assert_eq!(error.kind, ErrorKind::Timeout(Duration::from_secs(4)));
    assert_eq!(took, Duration::from_secs(4));
    assert!(!error.ambiguous);
    assert!(
        error
            .to_string()
            .starts_with("The job goes on, but did not end within 4 s.")
    );
}

#[test]
fn a_server_that_is_away_for_a_moment_ends_no_wait() {
    let broken = || Err(Trouble::Network("reset".into()));
    let away = [broken(), broken(), broken()];
    let answers = [job("running", "0")]
        .into_iter()
        .chain(away)
        .chain([job("done", "1")]);
    let wire = Wire::answering(answers);
    run(wire.client().wait_for_job(&id(), |_| {})).unwrap();

    let wire = Wire::answering(std::iter::repeat_n(broken(), 9));
    let error = run(wire.client().wait_for_job(&id(), |_| {})).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Network(_)));
}
