//! A lead as a row of the grid.

use super::added_cells::AddedCells;
use super::cells::{cell, checkbox, date, fit, named, points, text};
use super::format;
use super::grid_row::Rendered;
use super::lead_card::lead_card;
use super::lead_cells::{LeadRowProps, decision, frame, initials, likely, state_and_age};
use super::markup::Markup;
use crate::app::model::columns::{LEAD_COLUMNS, LeadCell};
use crate::app::model::lead::LeadItem;
use crate::app::model::time::Freshness;

impl Rendered for LeadRowProps {
    fn markup(&self) -> Markup {
        match self.is_card {
            true => lead_card(self),
            false => lead_row(self),
        }
    }
}

/// Renders a row: the checkbox, a cell for each column in the default order, and those of the added columns.
fn lead_row(shown: &LeadRowProps) -> Markup {
    frame("row", shown)
        .attr_opt("data-company", group(shown.starts_company))
        .child(
            cell("")
                .child(checkbox(&shown.lead.name, shown.selected))
                .attr("data-column", "select"),
        )
        .children(LEAD_COLUMNS.iter().map(|column| {
            let name = match column.cell {
                LeadCell::Status => "status",
                _ => column.spec.id,
            };
            lead_cell(column.cell, shown).attr("data-column", name)
        }))
        .children(shown.added.iter().flat_map(AddedCells::markup))
}

/// Renders the row's place in its group, in a list sorted by company.
fn group(starts_company: Option<bool>) -> Option<&'static str> {
    starts_company.map(|starts| if starts { "first" } else { "same" })
}

fn lead_cell(cell: LeadCell, shown: &LeadRowProps) -> Markup {
    let lead = &*shown.lead;
    match cell {
        LeadCell::Fit => {
            let score = points(lead.score, lead.previous_score, why(lead));
            fit(score, lead.tier.as_deref())
        }
        LeadCell::Company => {
            text(lead.company.as_deref()).attr_opt("data-initials", initials(lead))
        }
        LeadCell::Name => named(&lead.name),
        LeadCell::Signal => signal(lead),
        LeadCell::Text(get) => text(get(lead)),
        LeadCell::Date(get) => date(get(lead)),
        LeadCell::Score => points(lead.score, lead.previous_score, why(lead)).class("number"),
        LeadCell::Status => decision(shown, state_and_age(shown)),
        LeadCell::Likely if shown.has_status => likely(shown),
        LeadCell::Likely if shown.settled => decision(shown, likely(shown)),
        LeadCell::Likely => decision(shown, state_and_age(shown)),
    }
}

fn why(lead: &LeadItem) -> Option<String> {
    let scored = lead.scored.as_deref();
    Some(format::reason(lead.reasoning.as_deref()?, scored))
}

/// Renders the age of the last signal, and what happened.
fn signal(lead: &LeadItem) -> Markup {
    let Some(intent) = lead.intent.clone() else {
        return cell("last-signal none").text("No signal yet");
    };
    let age = lead.intent_at.as_deref().and_then(format::age);
    let class = match age.as_ref().map(|age| age.freshness) {
        Some(Freshness::Fresh) => "last-signal fresh",
        Some(Freshness::Recent) => "last-signal",
        Some(Freshness::Old) | None => "last-signal sub",
    };
    let age = age.map(|age| Markup::new("time").text(age.text));
    // The space is invisible, but screen readers need it.
    cell(class).children(age).text([" ", &intent].concat())
}
