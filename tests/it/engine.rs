//! The decision engine with a scripted server and a virtual clock.

use std::cell::{Cell, RefCell};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use lead_workspace::api::{ApprovalStatus, NewApprovalStatus};
use lead_workspace::client::runtime::{Runtime, Task};
use lead_workspace::client::{Client, HttpResponse};
use lead_workspace::review::engine::{Engine, Event, Host, LeadStatus};
use lead_workspace::review::outbox::Phase;

use crate::support::{Answer, Wire, World, json, run};

use NewApprovalStatus::{Approved, PendingApproval, Rejected};

mod again;
mod refused;

/// Called with every event.
type Listener = Rc<RefCell<Option<Box<dyn FnMut()>>>>;

/// A page without a screen.
struct Page {
    client: Client,
    online: Rc<Cell<bool>>,
    seen: Rc<RefCell<Vec<String>>>,
    on_event: Listener,
}

impl Host for Page {
    fn client(&self) -> Option<Client> {
        Some(self.client.clone())
    }

    fn is_online(&self) -> bool {
        self.online.get()
    }

    fn now(&self) -> u64 {
        1_000
    }

    fn before_send(&self) -> Task {
        Box::pin(async {})
    }

    fn on_event(&self, event: Event<'_>) {
        let text = match event {
            Event::Leads(leads) => format!("leads {}", leads.len()),
            Event::Moved(leads, befores) => format!("moved {} from {befores:?}", leads.join(" ")),
            Event::Saved(saved) => format!("saved {}", saved.len()),
            Event::Decided(leads, to) => format!("decided {} {to:?}", leads.join(" ")),
            Event::Failed(error) => format!("failed {:?}", error.status),
            other => format!("{other:?}").to_lowercase(),
        };
        self.seen.borrow_mut().push(text);
        if let Some(act) = &mut *self.on_event.borrow_mut() {
            act();
        }
    }
}

struct Stage {
    engine: Engine,
    wire: Arc<Wire>,
    online: Rc<Cell<bool>>,
    seen: Rc<RefCell<Vec<String>>>,
    on_event: Listener,
}

impl Stage {
    fn new(answers: impl IntoIterator<Item = Answer>) -> Self {
        // Each response takes a while, so that decisions can be made meanwhile.
        let answers = answers.into_iter().map(|answer| (SECOND, answer));
        let wire = Wire::after(answers);
        let (online, seen) = (Rc::new(Cell::new(true)), Rc::default());
        let on_event = Rc::default();
        let engine = Engine::new(Box::new(Page {
            client: wire.client(),
            online: Rc::clone(&online),
            seen: Rc::clone(&seen),
            on_event: Rc::clone(&on_event),
        }));
        Self {
            engine,
            wire,
            online,
            seen,
            on_event,
        }
    }

    /// Lets this time pass.
    fn wait(&self, wait: Duration) {
        run(World::default().sleep(wait));
    }

    fn bodies(&self) -> Vec<String> {
        let sent = self.wire.sent();
        let text = |request: &lead_workspace::client::HttpRequest| {
            let body = request.body.clone().unwrap_or_default();
            format!(
                "{} {body}",
                request.url.rsplit('/').next().unwrap_or_default()
            )
        };
        sent.iter().map(text).collect()
    }

    fn state(&self, lead: &str) -> (Option<ApprovalStatus>, Phase) {
        let read = |outbox: &lead_workspace::review::outbox::Outbox| {
            (outbox.shown(lead), outbox.phase(lead))
        };
        self.engine.with_outbox(read)
    }
}

const SECOND: Duration = Duration::from_secs(1);

fn pending(leads: &[&str]) -> Vec<LeadStatus> {
    let leads = leads
        .iter()
        .map(|lead| (Arc::from(*lead), PendingApproval.into()));
    leads.collect()
}

fn many(count: usize) -> Vec<LeadStatus> {
    let leads = (0..count).map(|lead| (format!("{lead:04}").into(), PendingApproval.into()));
    leads.collect()
}

fn saved() -> Answer {
    json(200, "{}")
}

fn limited(seconds: u64) -> Answer {
    json(429, "{}").map(|response| HttpResponse {
        retry_after: Some(Duration::from_secs(seconds)),
        ..response
    })
}

#[test]
fn a_decision_is_shown_at_once_sent_saved_and_undone() {
    let stage = Stage::new([saved(), saved()]);
    let step = stage.engine.decide(pending(&["a"]), Approved, "Ada");
    assert_eq!(stage.state("a"), (Some(Approved.into()), Phase::Sent));
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a"), (Some(Approved.into()), Phase::Confirmed));
    assert!(stage.seen.borrow().contains(&"saved 1".to_owned()));

    let undone = stage.engine.undo(None).unwrap();
    assert_eq!((Some(undone.step.number), undone.kept), (step, vec![]));
    assert_eq!(stage.state("a").0, Some(PendingApproval.into()));
    stage.wait(SECOND * 2);
    assert_eq!(
        stage.bodies(),
        [
            r#"a {"approval_status":"approved"}"#,
            r#"a {"approval_status":"pending_approval"}"#
        ]
    );
    assert_eq!(stage.engine.redo(), step);
}

#[test]
fn leads_with_the_status_are_skipped() {
    let stage = Stage::new([]);
    assert_eq!(
        stage.engine.decide(pending(&["a"]), PendingApproval, ""),
        None
    );
    assert_eq!(stage.engine.undo(None), None);
    assert!(stage.seen.borrow().iter().all(|event| event == "history"));
}

#[test]
fn the_latest_decision_wins_and_waits_for_the_one_in_flight() {
    let stage = Stage::new([saved(), saved()]);
    stage.engine.decide(pending(&["a"]), Approved, "");
    stage.wait(SECOND / 2);
    stage
        .engine
        .decide(vec![("a".into(), Approved.into())], Rejected, "");
    stage
        .engine
        .decide(vec![("a".into(), Rejected.into())], PendingApproval, "");
    assert_eq!(stage.wire.sent().len(), 1);
    assert_eq!(stage.state("a").0, Some(PendingApproval.into()));
    stage.wait(SECOND * 3);
    assert_eq!(
        stage.bodies()[1],
        r#"a {"approval_status":"pending_approval"}"#
    );
    assert_eq!(stage.wire.sent().len(), 2);
}

#[test]
fn a_late_read_does_not_take_a_decision_back() {
    let stage = Stage::new([saved()]);
    let sent = stage.engine.start_read();
    stage.engine.decide(pending(&["a"]), Approved, "");
    stage.wait(SECOND * 2);
    let old: ApprovalStatus = PendingApproval.into();
    stage.engine.on_read(&mut [("a", &old)].into_iter(), sent);
    assert_eq!(stage.state("a").0, Some(Approved.into()));
    let later = stage.engine.start_read();
    stage.engine.on_read(&mut [("a", &old)].into_iter(), later);
    assert_eq!(stage.state("a").0, Some(old), "somebody else took it back");
}

#[test]
fn decisions_wait_while_offline() {
    let stage = Stage::new([saved()]);
    stage.online.set(false);
    stage.engine.decide(pending(&["a"]), Approved, "");
    stage.wait(SECOND * 2);
    assert_eq!(stage.wire.sent().len(), 0);
    stage.online.set(true);
    stage.engine.resume();
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a").1, Phase::Confirmed);
}

#[test]
fn a_long_rate_limit_pauses_and_ends_by_itself() {
    let stage = Stage::new([limited(60), saved()]);
    stage.engine.decide(pending(&["a"]), Approved, "");
    stage.wait(SECOND * 2);
    assert_eq!(stage.engine.pause(), Some((60_000, 61_000)));
    assert_eq!(stage.state("a").1, Phase::Queued);
    stage.engine.decide(pending(&["b"]), Approved, "");
    stage.wait(SECOND * 30);
    assert_eq!(stage.wire.sent().len(), 1);
    stage.wait(SECOND * 40);
    assert_eq!(stage.engine.pause(), None);
    assert_eq!(
        stage.bodies()[1],
        r#"leads {"approval_status":"approved","lead_ids":["a","b"]}"#
    );
    assert_eq!(stage.state("b").1, Phase::Confirmed);
    let pauses = stage
        .seen
        .borrow()
        .iter()
        .filter(|event| *event == "pause")
        .count();
    assert_eq!(pauses, 2);
}

#[test]
fn a_decision_is_sent_again_until_the_service_is_available() {
    let unavailable = || json(503, "{}");
    let stage = Stage::new([unavailable(), unavailable(), unavailable(), saved()]);
    stage.engine.decide(pending(&["a"]), Approved, "");
    stage.wait(SECOND * 90);
    assert_eq!(stage.state("a"), (Some(Approved.into()), Phase::Confirmed));
    assert_eq!(stage.wire.sent().len(), 4);
}

#[test]
fn a_refused_decision_shows_its_reason_and_cannot_be_undone() {
    let stage = Stage::new([json(403, r#"{"detail":"read only"}"#), saved()]);
    stage.engine.decide(pending(&["a"]), Approved, "");
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a").1, Phase::Failed);
    assert_eq!(stage.engine.undo(None), None);
    assert!(stage.seen.borrow().contains(&"failed Some(403)".to_owned()));
    stage.engine.retry(None);
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a").1, Phase::Confirmed);
    assert!(stage.engine.undo(None).is_some(), "it is saved now");
}

#[test]
fn many_leads_are_a_run_that_can_be_paused_and_cancelled() {
    let stage = Stage::new((0..3).map(|_| json(200, r#"{"updated":100}"#)));
    let step = stage.engine.decide(many(500), Approved, "").unwrap();
    let number = stage.engine.run_of_step(step).unwrap();
    let progress = || {
        let progress = stage
            .engine
            .with_runs(|runs| runs.get(number).map(|run| run.progress()));
        let progress = progress.unwrap();
        (progress.updated, progress.waiting, progress.left_out())
    };
    assert_eq!(progress(), (0, 300, 0), "two requests are in flight");
    stage.engine.set_run_paused(number, true);
    stage.wait(SECOND * 5);
    assert_eq!(progress(), (200, 300, 0));
    stage.engine.cancel_run(number);
    assert_eq!(progress(), (200, 0, 300));
    let undone = stage.engine.undo(Some(step)).unwrap();
    assert_eq!(undone.step.changes.len(), 200);
    assert_eq!(
        stage.engine.with_runs(|runs| runs.numbers().len()),
        1,
        "the undo is one"
    );
}

#[test]
fn leads_in_flight_are_not_sent_again_after_their_run_was_cancelled() {
    let stage = Stage::new([json(200, r#"{"updated":100}"#), json(404, "{}"), saved()]);
    let step = stage.engine.decide(many(250), Approved, "").unwrap();
    let number = stage.engine.run_of_step(step).unwrap();
    stage.engine.cancel_run(number);
    // A new decision is not part of the run.
    stage.engine.decide(pending(&["0100"]), Rejected, "");
    stage.wait(SECOND * 60);
    let bodies = stage.bodies();
    let statuses = ["approved", "approved", "rejected"];
    assert_eq!(bodies.len(), statuses.len(), "{bodies:?}");
    for (body, status) in bodies.iter().zip(statuses) {
        assert!(body.contains(status), "{body}");
    }
    let of_step = stage.engine.with_history(|history| {
        let step = history.recent().find(|one| one.number == step);
        step.map(|step| step.changes.len())
    });
    assert_eq!(
        of_step,
        Some(101),
        "those saved, and one with another decision"
    );
    assert_eq!(stage.state("0100").0, Some(Rejected.into()));
    assert_eq!(stage.state("0101").0, Some(PendingApproval.into()));
    assert_eq!(stage.engine.with_outbox(|outbox| outbox.open()), 0);
}

#[test]
fn a_step_of_few_leads_gets_a_run_on_demand() {
    let stage = Stage::new([json(200, r#"{"updated":2}"#)]);
    let step = stage
        .engine
        .decide(pending(&["a", "b"]), Approved, "")
        .unwrap();
    let number = stage.engine.run_of_step(step);
    assert_eq!(number, stage.engine.run_of_step(step));
    stage.wait(SECOND * 2);
    let progress = stage
        .engine
        .with_runs(|runs| runs.get(number.unwrap()).unwrap().progress());
    assert_eq!((progress.updated, progress.all), (2, 2));
    assert_eq!(stage.engine.run_of_step(99), None);
}

#[test]
fn restored_decisions_are_sent_and_wait_if_they_were_held() {
    let stage = Stage::new([saved()]);
    stage.engine.restore(
        r#"[["approved","pending_approval",false,1,["a"]],["rejected","pending_approval",true,1,["b"]]]"#,
    );
    stage.engine.send_queued();
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a").1, Phase::Confirmed);
    assert_eq!(stage.state("b").1, Phase::Queued);
    assert!(stage.seen.borrow().contains(&"restored(1)".to_owned()));
    let paused = stage.engine.with_runs(|runs| {
        let run = runs.numbers().pop().and_then(|number| runs.get(number));
        run.map(|run| run.paused)
    });
    assert_eq!(paused, Some(true));
    assert_eq!(stage.wire.sent().len(), 1);
}

#[test]
fn an_event_may_call_the_engine() {
    let stage = Stage::new([saved()]);
    let engine = stage.engine.clone();
    stage.on_event.replace(Some(Box::new(move || {
        engine.with_outbox(|outbox| outbox.open());
        engine.start_read();
    })));
    stage.engine.decide(pending(&["a"]), Approved, "");
    stage.wait(SECOND * 2);
    assert_eq!(stage.state("a").1, Phase::Confirmed);
    stage.on_event.replace(None);
}

#[test]
fn a_closed_engine_sends_what_is_left_and_reports_nothing() {
    let stage = Stage::new([limited(60), saved()]);
    stage.engine.decide(pending(&["a"]), Approved, "");
    stage.engine.close();
    let events = stage.seen.borrow().len();
    stage.wait(SECOND * 70);
    assert_eq!(stage.wire.sent().len(), 2);
    assert_eq!(stage.state("a").1, Phase::Confirmed);
    assert_eq!(stage.seen.borrow().len(), events);
}
