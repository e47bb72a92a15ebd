//! One page of rows, in sort order.
//!
//! Rows without a value come last in both directions. Rows with equal values are ordered by number, in the direction
//! of the sort, so the order is total and pages never overlap.

use lead_workspace_api::{Page, SortDir};
use lead_workspace_logic::filter::{FilterField, Value};
use lead_workspace_logic::size_rank;

/// Sorts rows by the first value of a field.
pub(crate) fn sort<R, F: FilterField>(
    rows: &mut Vec<R>,
    field: F,
    dir: SortDir,
    values: impl Fn(&R, F) -> Vec<Value>,
    number: impl Fn(&R) -> i64,
) {
    let key = |row: &R| match values(row, field).into_iter().next() {
        Some(Value::Text(size)) if field.is_size() => size_rank(&size).map(Value::Integer),
        value => value,
    };
    let mut keyed: Vec<_> = rows.drain(..).map(|row| (key(&row), row)).collect();
    keyed.sort_by(|(a, a_row), (b, b_row)| {
        let missing = a.is_none().cmp(&b.is_none());
        let order = match (a, b) {
            (Some(a), Some(b)) => a.order(b),
            _ => std::cmp::Ordering::Equal,
        };
        let order = order.then_with(|| number(a_row).cmp(&number(b_row)));
        missing.then(if dir == SortDir::Desc {
            order.reverse()
        } else {
            order
        })
    });
    rows.extend(keyed.into_iter().map(|(_, row)| row));
}

/// Cuts a page out of sorted rows.
pub(crate) fn page<R, T>(rows: &[R], page: u32, page_size: u32, item: impl Fn(&R) -> T) -> Page<T> {
    let size = page_size as usize;
    let offset = (page as usize - 1).saturating_mul(size);
    let data: Vec<T> = rows.iter().skip(offset).take(size).map(item).collect();
    Page {
        has_more: Some(offset.saturating_add(data.len()) < rows.len()),
        total: Some(rows.len() as u64),
        page: Some(page),
        page_size: Some(page_size),
        data,
        ..Page::default()
    }
}
