//! Measures how many decisions the approval model saves simulated reviewers, and how often its
//! offers decide as they would. docs/suggestions.md explains the tables.

use std::process::ExitCode;

use crate::leads::{ReviewLead, queue};
use crate::report::{Row, print_table};
use crate::reviewers::REVIEWERS;
use crate::simulation::{Policy, by_score, forecast, review};

mod leads;
mod report;
mod reviewers;
mod simulation;

/// Percentages of decisions that differ from the reviewer's rule.
const NOISE: [u64; 3] = [0, 5, 10];

/// Decisions before accuracy and Brier score are measured on the rest of the queue.
const FORECAST_AFTER: usize = 300;

const POLICIES: [(&str, Policy); 4] = [
    (
        "Offers of approvals and rejections, unusual decisions checked",
        Policy {
            checks: true,
            rejects: true,
            is_ordered: false,
        },
    ),
    (
        "Offers of approvals only, unusual decisions checked",
        Policy {
            checks: true,
            rejects: false,
            is_ordered: false,
        },
    ),
    (
        "Offers of approvals and rejections, nothing checked",
        Policy {
            checks: false,
            rejects: true,
            is_ordered: false,
        },
    ),
    (
        "Offers of approvals and rejections, unusual decisions checked, likeliest leads first",
        Policy {
            checks: true,
            rejects: true,
            is_ordered: true,
        },
    ),
];

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let option = |name: &str, default: u64| {
        let at = arguments.iter().position(|argument| argument == name);
        at.map_or(Some(default), |at| arguments.get(at + 1)?.parse().ok())
    };
    let (Some(seeds), Some(leads)) = (option("--seeds", 5), option("--leads", 2_000)) else {
        eprintln!("usage: cargo xtask bench suggest [--seeds N] [--leads N]");
        return ExitCode::FAILURE;
    };
    println!(
        "{seeds} seeds, {leads} leads each; medians, with the lowest and highest of the seeds"
    );
    let queues: Vec<Vec<ReviewLead>> = (1..=seeds).map(|seed| queue(seed, leads)).collect();
    for (name, policy) in POLICIES {
        for noise in NOISE {
            println!("\n{name}; {noise} % of decisions differ from the rule\n");
            let rows = REVIEWERS.iter().map(|reviewer| {
                let mut row = Row::new(reviewer.name);
                for (queue, seed) in queues.iter().zip(1..) {
                    let score = by_score(queue, reviewer, policy.rejects);
                    let review = review(queue, reviewer, noise, seed, policy);
                    let forecast = forecast(queue, reviewer, noise, seed, FORECAST_AFTER);
                    row.add(score, &review, forecast);
                }
                row
            });
            print_table(&rows.collect::<Vec<_>>());
        }
    }
    ExitCode::SUCCESS
}
