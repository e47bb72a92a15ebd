//! An account as a row of the grid, and as a tile on a phone.

use leptos::prelude::*;

use super::avatar::avatar;
use super::dom::{El, classed, el};
use super::format;
use super::lead_row::{cell, named, text, tick};
use super::link::away_link;
use super::score::rescored;
use crate::model::account::Account;
use crate::signal::Memo;

/// An account to be drawn, with what changes without it.
pub struct Shown<'a> {
    /// The account.
    pub account: &'a Account,
    /// Whether the row is ticked.
    pub selected: Memo<bool>,
    /// Its index in the whole list.
    pub index: ArcReadSignal<u64>,
}

/// A row: a cell for each column, in their usual order.
pub fn account_row(shown: &Shown<'_>) -> El {
    let account = shown.account;
    let away = account.page.as_deref();
    let away = away.map(|href| away_link(href, &format!("Company page of {}", account.name)));
    let who = named(avatar(&account.initials, None), &account.name).el_opt(away);
    let leads = account.leads.map(format::number).unwrap_or_default();
    let created = account.created.as_deref().map(format::date);
    let fit = cell("number")
        .attr_opt("title", account.reasoning.as_deref())
        .el(rescored(account.score, account.was));
    frame("row", shown)
        .el(cell("").el(tick(&account.name, shown.selected)))
        .el(who)
        .el(text(account.industry.as_deref()))
        .el(text(account.size.as_deref()))
        .el(text(account.location.as_deref()))
        .el(cell("number").text(&leads))
        .el(fit)
        .el(text(account.tier.as_deref()))
        .el(cell("sub date").text(created.as_deref().unwrap_or_default()))
        .el(text(account.tagline.as_deref()))
}

/// The same row where there is no room for columns.
pub fn account_tile(shown: &Shown<'_>) -> El {
    let account = shown.account;
    let facts = [&account.industry, &account.size, &account.location];
    let facts: Vec<&str> = facts.into_iter().flatten().map(String::as_str).collect();
    let leads = account.leads.map(|leads| format::count(leads, "lead"));
    let tier = account.tier.as_deref();
    let tier = tier.map(|tier| classed("span", "tier").text("Tier ").el(el("b").text(tier)));
    let fit = cell("fit")
        .el(el("span").text(leads.as_deref().unwrap_or_default()))
        .el(rescored(account.score, account.was))
        .el_opt(tier);
    frame("row tile", shown)
        .el(cell("tick").el(tick(&account.name, shown.selected)))
        .el(named(
            avatar(&account.initials, account.logo.as_deref()),
            &account.name,
        ))
        .el(cell("sub").text(&facts.join(" · ")))
        .el(fit)
}

/// What row and tile have in common: the names that others find them by.
fn frame(class: &str, shown: &Shown<'_>) -> El {
    let (selected, index) = (shown.selected, shown.index.clone());
    classed("div", class)
        .attr("role", "row")
        .attr("data-account-id", &shown.account.id)
        .attr_of("aria-rowindex", move || (index.get() + 2).to_string())
        .attr_of("aria-selected", move || selected.get().to_string())
}
