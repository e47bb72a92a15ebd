//! The parts of the screen: values in, callbacks out. None of them fetches, and none knows the state.

pub mod avatar;
pub mod chip;
pub mod confirm;
pub mod countdown;
pub mod dom;
pub mod facet;
pub mod filter_dialog;
pub mod format;
pub mod grid;
pub mod icon;
pub mod key_dialog;
pub mod lead_card;
pub mod lead_row;
pub mod link;
pub mod overlay;
pub mod peek;
pub mod plate;
pub mod score;
pub mod search_box;
pub mod sheet;
pub mod status;
pub mod tabs;
pub mod toast;
