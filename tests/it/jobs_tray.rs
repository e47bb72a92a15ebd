//! The state of scoring jobs: requests are never empty, tabs agree whatever the order of their messages, and the
//! texts say what happened, what was saved and what to do.

use std::sync::Arc;

use lead_workspace::app::model::scoring_jobs::job_labels::{ScoreChanges, elapsed};
use lead_workspace::app::model::scoring_jobs::{
    JobList, JobPhase, JobSnapshot, RecordKind, Scoring, ScoringJob,
};
use proptest::prelude::*;

const HOUR: i64 = 3_600_000;

fn count(of: u64, one: &str) -> String {
    let s = if of == 1 { "" } else { "s" };
    format!("{of} {one}{s}")
}

fn ids(many: usize) -> Vec<Arc<str>> {
    (0..many)
        .map(|id| Arc::from(format!("lead-{id:04}")))
        .collect()
}

fn leads(many: usize) -> Scoring {
    Scoring::for_ids(RecordKind::Leads, ids(many), "").unwrap()
}

fn job(number: u64, began: i64) -> ScoringJob {
    ScoringJob::new(number, leads(3), began)
}

fn state(phase: JobPhase) -> JobSnapshot {
    JobSnapshot::new(phase, 50)
}

const PHASES: [JobPhase; 8] = [
    JobPhase::Starting,
    JobPhase::Uncertain,
    JobPhase::Running,
    JobPhase::Lost,
    JobPhase::Cancelled,
    JobPhase::Failed,
    JobPhase::Refused,
    JobPhase::Done,
];

prop_compose! {
    fn any_state()(
        phase in 0..8_usize,
        percent in 0..=100_u64,
        at in 0..100_i64,
        reason in "[a-c]{0,2}",
        scored in proptest::option::of(0..5_u64),
        missing in 0..3_u64,
        looked in proptest::option::of((0..6_u64, 0..6_u64)),
    ) -> JobSnapshot {
        JobSnapshot { phase: PHASES[phase], percent, at, reason, scored, missing, looked }
    }
}

prop_compose! {
    fn any_job()(number in 0..4_u64, state in any_state(), id in proptest::option::of("job-1")) -> ScoringJob {
        ScoringJob { state, id, ..job(number, 10 + number as i64) }
    }
}

proptest! {
    #[test]
    fn tabs_converge_in_any_order(reports in proptest::collection::vec(any_job(), 0..12), seed in any::<u64>()) {
        let mut one = JobList::default();
        for report in &reports {
            one.merge(report.clone());
        }
        let mut mixed = reports.clone();
        let many = mixed.len().max(1);
        for at in 0..mixed.len() {
            mixed.swap(at, (seed as usize).wrapping_mul(at + 7) % many);
        }
        let mut other = JobList::default();
        for report in mixed.iter().chain(&reports) {
            other.merge(report.clone());
        }
        prop_assert_eq!(one, other);
    }

    #[test]
    fn a_job_never_goes_backwards(states in proptest::collection::vec(any_state(), 1..20)) {
        let mut jobs = JobList::default();
        jobs.merge(job(1, 0));
        let mut before = jobs.get(1).unwrap().state.clone();
        for state in states {
            jobs.update(1, state);
            let now = jobs.get(1).unwrap().state.clone();
            prop_assert!(now >= before);
            prop_assert!(now.phase > before.phase || now.percent >= before.percent);
            before = now;
        }
    }

    #[test]
    fn stored_jobs_round_trip(mut job in any_job(), list in any::<bool>()) {
        if list {
            job.scoring = Scoring::for_list(RecordKind::Accounts, "list-1", "Q3 “targets”", 12).unwrap();
        }
        prop_assert_eq!(ScoringJob::from_stored(job.number, &job.stored()), Some(job));
    }

    #[test]
    fn a_corrupt_slot_is_ignored(text in ".{0,80}", cut in 0..200_usize) {
        prop_assert_eq!(ScoringJob::from_stored(1, &text), None);
        let kept = job(1, 5).stored();
        let cut: String = kept.chars().take(cut.min(kept.len() - 1)).collect();
        prop_assert_eq!(ScoringJob::from_stored(1, &cut), None);
    }
}

#[test]
fn an_empty_selection_is_not_scored() {
    assert_eq!(Scoring::for_ids(RecordKind::Leads, Vec::new(), ""), None);
    assert_eq!(
        Scoring::for_ids(RecordKind::Accounts, vec!["".into()], ""),
        None
    );
    assert_eq!(
        Scoring::for_list(RecordKind::Leads, "", "Nameless", 5),
        None
    );
    assert_eq!(
        Scoring::for_list(RecordKind::Leads, "list-1", "Empty", 0),
        None
    );
    let twice = Scoring::for_ids(RecordKind::Leads, [ids(3), ids(2)].concat(), "").unwrap();
    assert_eq!((twice.count(), twice.ids()), (3, &*ids(3)));
}

#[test]
fn very_large_jobs_store_a_sample_and_may_touch_any_row() {
    let few = ScoringJob::new(1, leads(3), 5);
    assert!(few.touches("lead-0001") && !few.touches("lead-0009"));
    let many = ScoringJob::new(1, leads(2_001), 5);
    assert!(!many.touches("another"));
    let back = ScoringJob::from_stored(1, &many.stored()).unwrap();
    assert_eq!((back.scoring.count(), back.whole), (2_001, false));
    let sample = back.scoring.ids();
    assert!((10..=20).contains(&sample.len()), "{}", sample.len());
    assert!(sample.iter().all(|id| many.scoring.ids().contains(id)));
    assert!(back.touches("another"));
    assert_eq!(ScoringJob::from_stored(1, &back.stored()).unwrap(), back);
    // A job with an incomplete list of ids cannot be restarted.
    let refused = |job: &ScoringJob| {
        let mut job = job.clone();
        job.state = JobSnapshot::new(JobPhase::Refused, 6);
        job.may_start_again()
    };
    assert!(refused(&many) && !refused(&back));
    // A tab that has all ids keeps them, even if another tab reports fewer.
    let mut jobs = JobList::default();
    jobs.merge(back.clone());
    jobs.merge(many);
    jobs.merge(back);
    assert!(jobs.get(1).unwrap().whole);
}

#[test]
fn old_jobs_are_forgotten() {
    let mut jobs = JobList::default();
    for (number, phase) in PHASES.iter().enumerate() {
        let mut job = job(number as u64, 0);
        job.state = state(*phase);
        jobs.merge(job);
    }
    assert!(jobs.remove_outdated(HOUR / 2).is_empty());
    assert_eq!(
        jobs.remove_outdated(HOUR + 100),
        [7],
        "successful jobs expire after an hour"
    );
    assert_eq!(
        jobs.remove_outdated(24 * HOUR + 100),
        [1, 3, 4, 5, 6],
        "failed jobs expire after a day"
    );
    assert_eq!(jobs.open(), [0, 2]);
    assert_eq!(jobs.remove_outdated(8 * 24 * HOUR), [0, 2]);
}

#[test]
fn the_oldest_finished_jobs_are_dropped() {
    let mut jobs = JobList::default();
    for number in 0..30 {
        let mut job = job(number, number as i64);
        if number > 2 {
            job.state = state(JobPhase::Done);
        }
        jobs.merge(job);
    }
    assert_eq!(jobs.all().len(), 20);
    assert_eq!(jobs.open(), [0, 1, 2], "running jobs are kept");
    assert_eq!(jobs.all()[3].number, 13);
    assert!(jobs.forget(13) && !jobs.forget(13));
}

#[test]
fn a_failed_poll_is_shown_until_one_succeeds() {
    let mut jobs = JobList::default();
    jobs.merge(job(1, 0));
    assert!(jobs.mark_running(1, "job-1", 10).is_some());
    let snapshot = |percent, at, reason: &str| JobSnapshot {
        percent,
        ..JobSnapshot::new(JobPhase::Running, at).because(reason)
    };
    assert!(jobs.update(1, snapshot(30, 20, "")).is_some());
    assert!(
        jobs.update(1, snapshot(30, 25, "")).is_none(),
        "nothing changed"
    );
    assert!(
        jobs.update(1, snapshot(0, 30, "The server cannot be reached"))
            .is_some()
    );
    let shown = jobs.get(1).unwrap();
    assert_eq!(shown.state.percent, 30);
    assert_eq!(
        shown.description(count),
        "Still running, but its progress cannot be read: The server cannot be reached. Retrying."
    );
    assert!(jobs.update(1, snapshot(30, 40, "")).is_some());
    assert_eq!(
        jobs.get(1).unwrap().description(count),
        "Scoring in progress"
    );
    assert!(
        jobs.update(2, snapshot(30, 40, "")).is_none(),
        "a forgotten job does not return"
    );
}

#[test]
fn titles_name_the_scored_records() {
    assert_eq!(leads(212).title(count), "Score 212 leads");
    let one = Scoring::for_ids(RecordKind::Leads, ids(1), "Ada Novak").unwrap();
    assert_eq!(one.title(count), "Score Ada Novak");
    let list = Scoring::for_list(RecordKind::Accounts, "list-1", "Q3 targets", 12).unwrap();
    assert_eq!(list.title(count), "Score the 12 accounts of “Q3 targets”");
}

#[test]
fn messages_say_what_happened_what_was_saved_and_what_to_do() {
    let description = |state: JobSnapshot| ScoringJob { state, ..job(1, 0) }.description(count);
    assert_eq!(description(state(JobPhase::Done)), "Scored 3 leads");
    let some = JobSnapshot {
        scored: Some(2),
        missing: 1,
        ..state(JobPhase::Done)
    };
    assert_eq!(description(some), "Scored 2 leads; 1 lead not found");
    let failed = state(JobPhase::Failed).because("the rules are not valid.");
    assert_eq!(
        description(failed),
        "The job failed: the rules are not valid. Scores saved so far are kept. \
         Score them again when the cause is resolved."
    );
    let refused = state(JobPhase::Refused).because("This key may not do that. Use another");
    assert_eq!(
        description(refused),
        "Not started, nothing was scored: This key may not do that. Use another."
    );
    let lost = description(state(JobPhase::Uncertain));
    assert!(
        lost.contains("may or may not have started")
            && lost.contains("not sent again automatically")
    );
}

#[test]
fn after_a_lost_response_restart_needs_a_check_that_finds_nothing() {
    let checked = |looked| ScoringJob {
        state: JobSnapshot {
            looked,
            ..state(JobPhase::Uncertain)
        },
        ..job(1, 1_000_000)
    };
    assert!(!checked(None).may_start_again());
    assert!(
        !checked(Some((0, 0))).may_start_again(),
        "nothing could be checked"
    );
    assert!(!checked(Some((5, 1))).may_start_again() && checked(Some((5, 1))).has_begun());
    assert!(checked(Some((5, 0))).may_start_again());
    assert!(
        checked(Some((5, 0)))
            .description(count)
            .starts_with("None of 5 leads checked")
    );
    assert!(
        checked(Some((5, 3)))
            .description(count)
            .starts_with("3 leads of 5 checked")
    );
    let refused = ScoringJob {
        state: state(JobPhase::Refused),
        ..job(1, 0)
    };
    assert!(refused.may_start_again());
    // The server's clock may be slightly behind, but not by an hour.
    assert!(checked(None).is_newer(1_000_001) && checked(None).is_newer(960_000));
    assert!(!checked(None).is_newer(900_000));
}

#[test]
fn score_changes_match_the_displayed_scores() {
    let done = |many: u64| ScoringJob {
        state: JobSnapshot {
            scored: Some(many),
            ..state(JobPhase::Done)
        },
        ..job(1, 0)
    };
    let mut change = ScoreChanges::default();
    assert_eq!(change.description(&done(2), count), "Scored 2 leads");
    change.add(Some(72.0), Some(72.4));
    assert_eq!(
        change.description(&done(1), count),
        "Scored 1 lead: no change"
    );
    change.add(Some(72.0), Some(81.0));
    assert_eq!(change.description(&done(2), count), "Scored 2 leads: 1 up");
    change.add(None, Some(3.0));
    change.add(Some(9.0), Some(8.0));
    assert_eq!(
        change.description(&done(4), count),
        "Scored 4 leads: 2 up, 1 down"
    );
    assert_eq!(
        change.description(&done(212), count),
        "Scored 212 leads. Of the 4 leads loaded: 2 up, 1 down"
    );
}

#[test]
fn elapsed_times_are_shown_as_text() {
    for (milliseconds, words) in [
        (-5, "0 s"),
        (12_900, "12 s"),
        (184_000, "3 min 4 s"),
        (3_900_000, "1 h 5 min"),
    ] {
        assert_eq!(elapsed(milliseconds), words);
    }
    let mut ended = job(1, 1_000);
    assert_eq!(ended.elapsed(5_000), 4_000);
    ended.state = JobSnapshot::new(JobPhase::Done, 3_000);
    assert_eq!(ended.elapsed(9_000), 2_000);
}
