//! The state of scoring jobs: requests are never empty, tabs agree whatever the order of their messages, and the
//! texts say what happened, what was saved and what to do.

use std::sync::Arc;

use lead_workspace::model::jobs::words::{ScoreChanges, elapsed};
use lead_workspace::model::jobs::{Job, JobList, JobPhase, JobSnapshot, RecordKind, Scoring};
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
    Scoring::of_ids(RecordKind::Leads, ids(many), "").unwrap()
}

fn job(number: u64, began: i64) -> Job {
    Job::new(number, leads(3), began)
}

fn state(phase: JobPhase) -> JobSnapshot {
    JobSnapshot::of(phase, 50)
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
    fn any_job()(number in 0..4_u64, state in any_state(), id in proptest::option::of("job-1")) -> Job {
        Job { state, id, ..job(number, 10 + number as i64) }
    }
}

proptest! {
    #[test]
    fn whatever_the_order_all_tabs_end_with_the_same(reports in proptest::collection::vec(any_job(), 0..12), seed in any::<u64>()) {
        let mut one = JobList::default();
        for report in &reports {
            one.hear(report.clone());
        }
        let mut mixed = reports.clone();
        let many = mixed.len().max(1);
        for at in 0..mixed.len() {
            mixed.swap(at, (seed as usize).wrapping_mul(at + 7) % many);
        }
        let mut other = JobList::default();
        for report in mixed.iter().chain(&reports) {
            other.hear(report.clone());
        }
        prop_assert_eq!(one, other);
    }

    #[test]
    fn a_job_never_goes_backwards(states in proptest::collection::vec(any_state(), 1..20)) {
        let mut jobs = JobList::default();
        jobs.hear(job(1, 0));
        let mut before = jobs.get(1).unwrap().state.clone();
        for state in states {
            jobs.learn(1, state);
            let now = jobs.get(1).unwrap().state.clone();
            prop_assert!(now >= before);
            prop_assert!(now.phase > before.phase || now.percent >= before.percent);
            before = now;
        }
    }

    #[test]
    fn what_is_kept_comes_back_as_it_was(mut job in any_job(), list in any::<bool>()) {
        if list {
            job.scoring = Scoring::of_list(RecordKind::Accounts, "list-1", "Q3 “targets”", 12).unwrap();
        }
        prop_assert_eq!(Job::of_kept(job.number, &job.kept()), Some(job));
    }

    #[test]
    fn a_spoiled_slot_is_no_job(text in ".{0,80}", cut in 0..200_usize) {
        prop_assert_eq!(Job::of_kept(1, &text), None);
        let kept = job(1, 5).kept();
        let cut: String = kept.chars().take(cut.min(kept.len() - 1)).collect();
        prop_assert_eq!(Job::of_kept(1, &cut), None);
    }
}

#[test]
fn nothing_is_never_scored() {
    assert_eq!(Scoring::of_ids(RecordKind::Leads, Vec::new(), ""), None);
    assert_eq!(
        Scoring::of_ids(RecordKind::Accounts, vec!["".into()], ""),
        None
    );
    assert_eq!(Scoring::of_list(RecordKind::Leads, "", "Nameless", 5), None);
    assert_eq!(
        Scoring::of_list(RecordKind::Leads, "list-1", "Empty", 0),
        None
    );
    let twice = Scoring::of_ids(RecordKind::Leads, [ids(3), ids(2)].concat(), "").unwrap();
    assert_eq!((twice.count(), twice.ids()), (3, &*ids(3)));
}

#[test]
fn of_very_many_ids_some_are_kept_to_look_at_and_any_row_may_be_touched() {
    let few = Job::new(1, leads(3), 5);
    assert!(few.touches("lead-0001") && !few.touches("lead-0009"));
    let many = Job::new(1, leads(2_001), 5);
    assert!(!many.touches("another"));
    let back = Job::of_kept(1, &many.kept()).unwrap();
    assert_eq!((back.scoring.count(), back.whole), (2_001, false));
    let sample = back.scoring.ids();
    assert!((10..=20).contains(&sample.len()), "{}", sample.len());
    assert!(sample.iter().all(|id| many.scoring.ids().contains(id)));
    assert!(back.touches("another"));
    assert_eq!(Job::of_kept(1, &back.kept()).unwrap(), back);
    // A job with an incomplete list of ids cannot be restarted.
    let refused = |job: &Job| {
        let mut job = job.clone();
        job.state = JobSnapshot::of(JobPhase::Refused, 6);
        job.may_start_again()
    };
    assert!(refused(&many) && !refused(&back));
    // A tab that has all ids keeps them, even if another tab reports fewer.
    let mut jobs = JobList::default();
    jobs.hear(back.clone());
    jobs.hear(many);
    jobs.hear(back);
    assert!(jobs.get(1).unwrap().whole);
}

#[test]
fn jobs_are_remembered_for_as_long_as_they_matter() {
    let mut jobs = JobList::default();
    for (number, phase) in PHASES.iter().enumerate() {
        let mut job = job(number as u64, 0);
        job.state = state(*phase);
        jobs.hear(job);
    }
    assert!(jobs.tidy(HOUR / 2).is_empty());
    assert_eq!(
        jobs.tidy(HOUR + 100),
        [7],
        "what went well is old news after an hour"
    );
    assert_eq!(
        jobs.tidy(24 * HOUR + 100),
        [1, 3, 4, 5, 6],
        "trouble after a day"
    );
    assert_eq!(jobs.open(), [0, 2]);
    assert_eq!(jobs.tidy(8 * 24 * HOUR), [0, 2]);
}

#[test]
fn of_many_jobs_the_oldest_that_are_over_go() {
    let mut jobs = JobList::default();
    for number in 0..30 {
        let mut job = job(number, number as i64);
        if number > 2 {
            job.state = state(JobPhase::Done);
        }
        jobs.hear(job);
    }
    assert_eq!(jobs.all().len(), 20);
    assert_eq!(jobs.open(), [0, 1, 2], "what runs stays");
    assert_eq!(jobs.all()[3].number, 13);
    assert!(jobs.forget(13) && !jobs.forget(13));
}

#[test]
fn a_look_that_failed_is_said_until_one_succeeds() {
    let mut jobs = JobList::default();
    jobs.hear(job(1, 0));
    assert!(jobs.began(1, "job-1", 10).is_some());
    let looked = |percent, at, reason: &str| JobSnapshot {
        percent,
        ..JobSnapshot::of(JobPhase::Running, at).because(reason)
    };
    assert!(jobs.learn(1, looked(30, 20, "")).is_some());
    assert!(jobs.learn(1, looked(30, 25, "")).is_none(), "no news");
    assert!(
        jobs.learn(1, looked(0, 30, "The server cannot be reached"))
            .is_some()
    );
    let shown = jobs.get(1).unwrap();
    assert_eq!(shown.state.percent, 30);
    assert_eq!(
        shown.description(count),
        "It goes on, but cannot be looked at: The server cannot be reached. It is tried again."
    );
    assert!(jobs.learn(1, looked(30, 40, "")).is_some());
    assert_eq!(jobs.get(1).unwrap().description(count), "Being scored");
    assert!(
        jobs.learn(2, looked(30, 40, "")).is_none(),
        "a job that was forgotten stays so"
    );
}

#[test]
fn titles_say_whom() {
    assert_eq!(leads(212).title(count), "Score 212 leads");
    let one = Scoring::of_ids(RecordKind::Leads, ids(1), "Ada Novak").unwrap();
    assert_eq!(one.title(count), "Score Ada Novak");
    let list = Scoring::of_list(RecordKind::Accounts, "list-1", "Q3 targets", 12).unwrap();
    assert_eq!(list.title(count), "Score the 12 accounts of “Q3 targets”");
}

#[test]
fn the_words_say_what_happened_what_was_kept_and_what_to_do() {
    let description = |state: JobSnapshot| Job { state, ..job(1, 0) }.description(count);
    assert_eq!(description(state(JobPhase::Done)), "Scored 3 leads");
    let some = JobSnapshot {
        scored: Some(2),
        missing: 1,
        ..state(JobPhase::Done)
    };
    assert_eq!(description(some), "Scored 2 leads; 1 lead no longer there");
    let failed = state(JobPhase::Failed).because("the rules are not valid.");
    assert_eq!(
        description(failed),
        "It failed: the rules are not valid. What was scored before that keeps its new score. \
         Score them again when the reason is gone."
    );
    let refused = state(JobPhase::Refused).because("This key may not do that. Use another");
    assert_eq!(
        description(refused),
        "Not started, nothing was scored: This key may not do that. Use another."
    );
    let lost = description(state(JobPhase::Uncertain));
    assert!(lost.contains("may have begun, or not") && lost.contains("not sent again by itself"));
}

#[test]
fn after_a_lost_answer_only_a_check_that_finds_nothing_offers_a_new_start() {
    let looked = |looked| Job {
        state: JobSnapshot {
            looked,
            ..state(JobPhase::Uncertain)
        },
        ..job(1, 1_000_000)
    };
    assert!(!looked(None).may_start_again());
    assert!(
        !looked(Some((0, 0))).may_start_again(),
        "nothing could be looked at"
    );
    assert!(!looked(Some((5, 1))).may_start_again() && looked(Some((5, 1))).has_begun());
    assert!(looked(Some((5, 0))).may_start_again());
    assert!(
        looked(Some((5, 0)))
            .description(count)
            .starts_with("None of 5 leads looked at")
    );
    assert!(
        looked(Some((5, 3)))
            .description(count)
            .starts_with("3 leads of 5 looked at")
    );
    let refused = Job {
        state: state(JobPhase::Refused),
        ..job(1, 0)
    };
    assert!(refused.may_start_again());
    // The server's clock may be slightly behind, but not by an hour.
    assert!(looked(None).is_newer(1_000_001) && looked(None).is_newer(960_000));
    assert!(!looked(None).is_newer(900_000));
}

#[test]
fn the_change_of_scores_is_told_as_it_is_shown() {
    let done = |many: u64| Job {
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
        "Scored 212 leads. Of the 4 leads at hand: 2 up, 1 down"
    );
}

#[test]
fn time_passes_in_words() {
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
    ended.state = JobSnapshot::of(JobPhase::Done, 3_000);
    assert_eq!(ended.elapsed(9_000), 2_000);
}
