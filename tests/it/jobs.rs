//! Waiting for jobs.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use futures_util::future::{Either, join, select};
use lead_workspace::api::{Job, JobId, JobState};
use lead_workspace::client::poll_backoff::PollBackoff;
use lead_workspace::client::retry::MonotonicTime;
use lead_workspace::client::runtime::{Runtime, Task};
use lead_workspace::client::{CallOptions, Client, ErrorKind, TransportError};

use crate::support::{Answer, Wire, World, config, json, run, timed};

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
fn polling_slows_down_until_the_job_ends() {
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
fn a_failed_job_ends_the_wait() {
    let wire = Wire::answering([job("failed", "0.5")]);
    let done = run(wire.client().wait_for_job(&id(), |_| {})).unwrap();
    assert_eq!(done.state(), JobState::Failed);
}

#[test]
fn not_found_is_tolerated_only_at_first() {
    let wire = Wire::answering([json(404, "{}"), json(404, "{}"), job("done", "1")]);
    run(wire.client().wait_for_job(&id(), |_| {})).unwrap();

    let wire = Wire::answering(std::iter::repeat_n(json(404, "{}"), 9));
    let (result, took) = timed(wire.client().wait_for_job(&id(), |_| {}));
    assert_eq!(result.unwrap_err().kind, ErrorKind::NotFound);
    assert!(took >= Duration::from_secs(10) && took < Duration::from_secs(20));
}

#[test]
fn two_waiters_share_one_poll() {
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
fn another_waiter_takes_over_polling() {
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
fn a_wait_has_a_deadline_and_the_job_continues() {
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
            .starts_with("The job is still running and did not end within 4 s.")
    );
}

#[test]
fn a_brief_outage_does_not_end_a_wait() {
    let broken = || Err(TransportError::Network("reset".into()));
    let away = [broken(), broken(), broken()];
    let answers = [job("running", "0")]
        .into_iter()
        .chain(away)
        .chain([job("done", "1")]);
    let wire = Wire::answering(answers);
    run(wire.client().wait_for_job(&id(), |_| {})).unwrap();
}

#[test]
fn a_wait_survives_an_hour_without_a_connection() {
    let client = |away: usize, then: Answer| {
        let broken = || Err(TransportError::Network("no connection".into()));
        let wire = Wire::answering((0..away).map(|_| broken()).chain([then]));
        wire.client().with_options(CallOptions {
            retries: Some(0),
            deadline: Some(Duration::from_secs(2 * 60 * 60)),
            ..CallOptions::default()
        })
    };
    let away = client(360, job("done", "1"));
    let (done, took) = timed(async { away.wait_for_job(&id(), |_| {}).await });
    assert_eq!(done.unwrap().state(), JobState::Succeeded);
    assert!(took > Duration::from_secs(55 * 60));
}

#[test]
fn errors_before_and_after_a_time_without_a_connection_do_not_end_a_wait() {
    let offline = || Err(TransportError::Network("no connection".into()));
    let answers = [json(503, "{}")]
        .into_iter()
        .chain((0..60).map(|_| offline()))
        .chain([json(503, "{}"), job("done", "1")]);
    let client = Wire::answering(answers).client().with_options(CallOptions {
        retries: Some(0),
        deadline: Some(Duration::from_secs(60 * 60)),
        ..CallOptions::default()
    });
    let (done, took) = timed(client.wait_for_job(&id(), |_| {}));
    assert_eq!(done.unwrap().state(), JobState::Succeeded);
    assert!(took > Duration::from_secs(5 * 60));
}

#[test]
fn a_wait_that_times_out_offline_reports_it() {
    let broken = || Err(TransportError::Network("no connection".into()));
    let wire = Wire::answering((0..9).map(|_| broken()));
    let client = wire.client().with_options(CallOptions {
        retries: Some(0),
        deadline: Some(Duration::from_secs(10)),
        ..CallOptions::default()
    });
    let error = run(client.wait_for_job(&id(), |_| {})).unwrap_err();
    assert!(matches!(error.kind, ErrorKind::Network(_)));
}

#[test]
fn persistent_server_errors_end_a_wait() {
    let wire = Wire::answering((0..60).map(|_| json(500, "{}")));
    let client = wire.client().with_options(CallOptions {
        retries: Some(0),
        ..CallOptions::default()
    });
    let (result, took) = timed(client.wait_for_job(&id(), |_| {}));
    assert!(matches!(result.unwrap_err().kind, ErrorKind::Status));
    assert!(took >= Duration::from_secs(300) && took < Duration::from_secs(320));
}

#[test]
fn a_short_timeout_does_not_affect_other_waiters() {
    let slow = |answer| (Duration::from_millis(100), answer);
    let answers = (0..9).flat_map(|_| [slow(job("running", "0")), slow(job("running", "0"))]);
    let wire = Wire::after(answers.chain([slow(job("done", "1")), slow(job("done", "1"))]));
    let client = wire.client();
    let hasty = client.with_options(CallOptions {
        timeout: Some(Duration::from_millis(1)),
        retries: Some(0),
        deadline: Some(Duration::from_secs(20)),
        ..CallOptions::default()
    });
    let (job, other) = (id(), id());
    let (hasty, healthy) = run(join(
        hasty.wait_for_job(&job, |_| {}),
        client.wait_for_job(&other, |_| {}),
    ));
    assert!(matches!(hasty.unwrap_err().kind, ErrorKind::Timeout(_)));
    assert_eq!(healthy.unwrap().state(), JobState::Succeeded);
}

/// A runtime for a hidden page.
struct Hidden(World);

impl Runtime for Hidden {
    fn now(&self) -> MonotonicTime {
        self.0.now()
    }

    fn sleep(&self, wait: Duration) -> Task {
        self.0.sleep(wait)
    }

    fn random(&self) -> f64 {
        self.0.random()
    }

    fn spawn(&self, task: Task) {
        self.0.spawn(task);
    }

    fn until_visible(&self) -> Option<Task> {
        Some(Box::pin(std::future::pending()))
    }
}

#[test]
fn a_hidden_page_polls_once_a_minute() {
    let wire = Wire::answering([job("running", "0"), job("running", "0.5"), job("done", "1")]);
    let client = Client::with_runtime(config(), wire.clone(), Rc::new(Hidden(World::default())));
    let (done, took) = timed(client.wait_for_job(&id(), |_| {}));
    assert_eq!(done.unwrap().state(), JobState::Succeeded);
    assert!(took > Duration::from_secs(180) && took < Duration::from_secs(190));
}

#[test]
fn every_wait_ends_with_a_final_poll() {
    for (answer, ended) in [(job("done", "1"), true), (job("running", "0"), false)] {
        let wire = Wire::answering([answer]);
        let client =
            Client::with_runtime(config(), wire.clone(), Rc::new(Hidden(World::default())));
        let client = client.with_options(CallOptions {
            deadline: Some(Duration::from_secs(30)),
            ..CallOptions::default()
        });
        let (result, took) = timed(client.wait_for_job(&id(), |_| {}));
        assert_eq!((result.is_ok(), wire.sent().len()), (ended, 1));
        assert_eq!(took, Duration::from_secs(30));
    }
}

#[test]
fn polling_slows_down() {
    let mut backoff = PollBackoff::default();
    let waits: Vec<u128> = (0..9).map(|_| backoff.next(0.5).as_millis()).collect();
    assert_eq!(
        waits,
        [1000, 1500, 2250, 3375, 5062, 7593, 10_000, 10_000, 10_000]
    );
    assert!(
        PollBackoff::default().next(0.0).as_millis() == 900
            && PollBackoff::default().next(f64::NAN).as_millis() == 900
    );
}
