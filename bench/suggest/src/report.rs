//! Tables of results.

use crate::simulation::{Forecast, Review};

/// Results of one reviewer, a value for each seed.
pub struct Row {
    name: &'static str,
    approves: Vec<f64>,
    by_score: Vec<f64>,
    saved: Vec<f64>,
    agreement: Vec<f64>,
    first: Vec<f64>,
    accuracy: Vec<f64>,
    majority: Vec<f64>,
    brier: Vec<f64>,
}

impl Row {
    pub fn new(name: &'static str) -> Self {
        Self {
            name,
            approves: Vec::new(),
            by_score: Vec::new(),
            saved: Vec::new(),
            agreement: Vec::new(),
            first: Vec::new(),
            accuracy: Vec::new(),
            majority: Vec::new(),
            brier: Vec::new(),
        }
    }

    pub fn add(&mut self, by_score: f64, review: &Review, forecast: Option<Forecast>) {
        self.approves.push(review.approves());
        self.by_score.push(by_score);
        self.saved.push(review.saved());
        self.agreement.extend(review.agreement());
        self.first.extend(review.first.map(|first| first as f64));
        if let Some(forecast) = forecast {
            self.accuracy.push(forecast.accuracy);
            self.majority.push(forecast.majority);
            self.brier.push(forecast.brier);
        }
    }
}

pub fn print_table(rows: &[Row]) {
    println!(
        "| reviewer | approves, % | saved by score, % | saved by the model, % | agreement of offers, % \
         | decisions before an offer | accuracy, % | more frequent, % | Brier score |"
    );
    println!("|---|---:|---:|---:|---:|---:|---:|---:|---:|");
    for row in rows {
        println!(
            "| {} | {} | {} | {} | {} | {} | {} | {} | {} |",
            row.name,
            median(&row.approves, 0),
            median(&row.by_score, 1),
            spread(&row.saved, 0),
            spread(&row.agreement, 1),
            median(&row.first, 0),
            median(&row.accuracy, 1),
            median(&row.majority, 1),
            median(&row.brier, 3),
        );
    }
    let agreements = rows.iter().flat_map(|row| &row.agreement);
    let low = agreements.clone().filter(|agreement| **agreement < 98.0);
    println!(
        "\n{} of {} reviews with offers agreed in less than 98 %.",
        low.count(),
        agreements.count()
    );
}

/// Returns the median with the lowest and the highest value.
fn spread(values: &[f64], digits: usize) -> String {
    let sorted = sorted(values);
    let (Some(low), Some(high)) = (sorted.first(), sorted.last()) else {
        return "-".to_owned();
    };
    let median = median(values, digits);
    format!("{median} ({low:.digits$} to {high:.digits$})")
}

fn median(values: &[f64], digits: usize) -> String {
    let sorted = sorted(values);
    let Some(upper) = sorted.get(sorted.len() / 2) else {
        return "-".to_owned();
    };
    let lower = sorted[(sorted.len() - 1) / 2];
    format!("{:.digits$}", f64::midpoint(lower, *upper))
}

fn sorted(values: &[f64]) -> Vec<f64> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
}
