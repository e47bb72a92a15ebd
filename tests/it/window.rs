//! Virtual scrolling of a long list: the viewport is always filled, with a bounded number of rows, at any scroll
//! position.

use lead_workspace::app::model::window::{MAX_HEIGHT, MAX_ROWS, Window};
use proptest::prelude::*;

const ROW: f64 = 40.0;

fn window(total: u64, view: f64) -> Window {
    let mut window = Window::default();
    window.resize(total, ROW, view);
    window
}

/// Returns the row at the top edge of the viewport, and how much of it is above the edge, in pixels.
fn edge(window: &Window, scroll: f64) -> (u64, f64) {
    let first = window.seen().start;
    (first, scroll - window.top_of(first))
}

#[test]
fn a_short_list_is_laid_out_at_full_height() {
    let mut window = window(100, 800.0);
    assert_eq!(window.height(), 4000.0);
    assert_eq!(window.seen(), 0..20);
    assert_eq!(window.drawn(), 0..28);
    assert_eq!(window.scrolled(1010.0), None);
    assert_eq!(window.seen(), 25..46);
    assert_eq!(window.top_of(25), 1000.0);
}

#[test]
fn a_million_rows_scroll_to_the_last_row() {
    let mut window = window(1_000_000, 800.0);
    assert_eq!(window.height(), MAX_HEIGHT);
    window.scrolled(MAX_HEIGHT - 800.0);
    assert_eq!(window.seen().end, 1_000_000);
    window.scrolled(MAX_HEIGHT / 2.0 - 400.0);
    let middle = window.seen().start;
    assert!((499_900..500_100).contains(&middle), "{middle}");
}

#[test]
fn small_scrolls_are_pixel_exact_in_a_very_tall_list() {
    let mut window = window(1_000_000, 800.0);
    window.scrolled(3_000_000.0);
    let before = edge(&window, 3_000_000.0);
    assert_eq!(window.scrolled(3_000_100.0), None);
    let after = edge(&window, 3_000_100.0);
    let moved = (after.0 - before.0) as f64 * ROW + after.1 - before.1;
    assert!((moved - 100.0).abs() < 0.01, "{moved}");
}

const CARD: f64 = 650.0;

fn cards(total: u64) -> Window {
    let mut window = Window::for_cards();
    window.resize(total, CARD, CARD);
    window
}

/// Checks that the visible card starts exactly at the scroll position.
fn check_card(window: &Window, index: u64) {
    assert_eq!(window.seen(), index..index + 1);
    assert_eq!(window.top_of(index), window.scrollbar());
    assert_eq!(
        window.scrollbar() % CARD,
        0.0,
        "a browser snaps to this position"
    );
    assert!(window.scrollbar() <= window.height() - CARD);
    assert!(window.drawn().contains(&index));
}

#[test]
fn cards_are_placed_correctly_for_any_count() {
    for total in [2_000, 13_594, 1_000_000] {
        let mut window = cards(total);
        assert!(window.height() <= MAX_HEIGHT);
        for index in 1..300 {
            // Decides card by card; the browser reports each new scroll position.
            let to = window.reveal(index).unwrap();
            assert_eq!(to, index as f64 * CARD, "card {index} of {total}");
            assert_eq!(window.scrolled(to), None);
            check_card(&window, index);
        }
    }
}

#[test]
fn cards_beyond_the_layout_height_can_be_revealed() {
    let mut window = cards(1_000_000);
    for index in [12_300, 500_000, 999_999, 999_998, 0, 1] {
        window.reveal(index);
        check_card(&window, index);
    }
    // Card by card across the boundary of two stretches of the list, and back.
    window.reveal(12_000);
    for index in (12_001..12_500).chain((11_000..12_499).rev()) {
        let by = if window.seen().start < index {
            CARD
        } else {
            -CARD
        };
        let to = window.scrollbar() + by;
        assert!(
            (0.0..=window.height() - CARD).contains(&to),
            "the target is out of range"
        );
        window.scrolled(to);
        check_card(&window, index);
    }
}

#[test]
fn revealing_a_row_scrolls_the_minimum() {
    let mut window = window(1000, 800.0);
    assert_eq!(window.reveal(10), None, "already in view");
    assert_eq!(window.reveal(20), Some(40.0), "down by one row");
    assert_eq!(window.reveal(0), Some(0.0));
    assert_eq!(window.reveal(999), Some(1000.0 * ROW - 800.0));
}

#[test]
fn a_list_restores_its_scroll_position() {
    for total in [1_000, 1_000_000] {
        let mut window = Window::default();
        window.begin(300);
        // Nothing is rendered before the total is known. The position is then correct for any row height.
        assert_eq!(window.drawn(), 0..0);
        window.resize(total, 32.0, 800.0);
        assert_eq!(window.seen().start, 300);
    }
    let mut shorter = Window::default();
    shorter.begin(300);
    shorter.resize(50, ROW, 800.0);
    assert_eq!(shorter.seen(), 30..50);
}

proptest! {
    #[test]
    fn the_view_is_always_filled_without_excess_rows(
        total in 0u64..3_000_000,
        view in 100.0f64..2200.0,
        moves in prop::collection::vec((any::<bool>(), 0.0f64..1.0), 0..40),
    ) {
        let mut window = window(total, view);
        let furthest = (window.height() - view).max(0.0);
        let mut scroll = 0.0f64;
        for (jump, part) in moves {
            scroll = if jump { part * furthest } else { (scroll + (part - 0.5) * view).clamp(0.0, furthest) };
            if let Some(corrected) = window.scrolled(scroll) {
                prop_assert!((0.0..=furthest).contains(&corrected));
                scroll = corrected;
            }
            let (seen, drawn) = (window.seen(), window.drawn());
            prop_assert!(drawn.end - drawn.start <= MAX_ROWS);
            prop_assert!(drawn.start <= seen.start && seen.end <= drawn.end);
            // The rows cover the viewport completely.
            let (top, end) = (window.top_of(seen.start), window.top_of(seen.end));
            prop_assert!(top <= scroll + 0.5, "{top} {scroll}");
            let wanted = (total as f64 * ROW).min(view);
            prop_assert!(end - scroll >= wanted - 0.5, "{end} {scroll} {wanted}");
        }
    }

    #[test]
    fn a_revealed_row_is_in_view(total in 1u64..3_000_000, view in 100.0f64..2200.0, part in 0.0f64..1.0, first in 0.0f64..1.0) {
        let mut window = window(total, view);
        window.scrolled(first * (window.height() - view).max(0.0));
        let index = ((total - 1) as f64 * part) as u64;
        window.reveal(index);
        prop_assert!(window.seen().contains(&index));
    }

    #[test]
    fn a_new_row_height_keeps_the_first_row(total in 1000u64..3_000_000, part in 0.0f64..0.9) {
        let mut window = window(total, 800.0);
        window.scrolled(part * (window.height() - 800.0));
        let before = window.seen().start;
        window.resize(total, 32.0, 800.0);
        prop_assert_eq!(window.seen().start, before);
    }
}
