//! The columns of a grid: arranging, fitting, and storing them as text.

use lead_workspace::app::model::columns::{
    ACCOUNT_COLUMN_SET, ArrangedColumn, ColumnSet, ColumnSpec, Columns, LEAD_COLUMN_SET, MAX_WIDTH,
    MIN_WIDTH,
};
use lead_workspace::app::model::layout::{Density, Layout, ROW_HEIGHT, says_layout};
use lead_workspace::app::model::view::{AccountsView, LeadsView};
use lead_workspace_api::Account;
use lead_workspace_api::export::{self, ColumnChoice, Exported, ExportedLead};
use proptest::prelude::*;
use proptest::sample::select;

pub fn ids(columns: &Columns) -> Vec<&'static str> {
    columns.visible().map(|column| column.spec.id).collect()
}

fn first(columns: &Columns) -> ArrangedColumn {
    *columns.visible().next().unwrap()
}

pub fn leads(text: &str) -> Columns {
    Columns::from_text(LEAD_COLUMN_SET, text)
}

#[test]
fn the_default_columns_are_an_empty_text() {
    for set in [LEAD_COLUMN_SET, ACCOUNT_COLUMN_SET] {
        assert_eq!(Columns::initial(set).to_text(), "");
        assert_eq!(Columns::from_text(set, ""), Columns::initial(set));
    }
    assert_eq!(
        ids(&leads("")),
        [
            "fit",
            "name",
            "title",
            "company",
            "signal",
            "approval_status"
        ]
    );
}

#[test]
fn accounts_show_the_fit_and_no_dates() {
    let shown = Columns::initial(ACCOUNT_COLUMN_SET);
    let columns = [
        "fit",
        "name",
        "industry",
        "staff_count_range",
        "location",
        "lead_count",
    ];
    assert_eq!(ids(&shown), columns);
    // The width next to the sidebar in a window of 1440 px: every column has its full width.
    let fitting = shown.clone().fitting(1_228, "icp_score", false);
    assert_eq!(
        (ids(&fitting), fitting.is_compact()),
        (columns.to_vec(), false)
    );
}

#[test]
fn columns_are_hidden_moved_pinned_and_sized() {
    let columns = leads("").shown("fit", false).shown("industry", true);
    assert!(!ids(&columns).contains(&"fit"));
    assert!(ids(&columns).contains(&"industry"));
    let columns = columns.moved("company", false).sized("title", Some(220));
    assert_eq!(ids(&columns)[..3], ["name", "company", "title"]);
    let columns = columns.pinned("title", true);
    assert_eq!(ids(&columns)[0], "title", "pinned columns come first");
    assert_eq!(
        columns.to_text(),
        "title*-220.-fit.name.company.signal.industry.-location.-icp_score.-icp_tier.-created_at._approval_status._likely",
    );
    assert_eq!(leads(&columns.to_text()), columns);
    assert_eq!(
        first(&columns.sized("title", None).pinned("title", false)).width,
        None
    );
}

#[test]
fn the_name_cannot_be_hidden() {
    assert_eq!(leads("").shown("name", false), leads(""));
    assert!(ids(&leads("-name")).contains(&"name"));
}

/// Returns which of the two columns are shown.
fn swapped(columns: &Columns) -> Vec<&'static str> {
    let ids = ids(columns).into_iter();
    ids.filter(|id| ["approval_status", "likely"].contains(id))
        .collect()
}

#[test]
fn where_all_leads_have_one_status_the_likelihood_takes_its_place() {
    let initial = leads("");
    assert_eq!(swapped(&initial), ["approval_status"]);
    let pending = initial.clone().in_list(true);
    assert_eq!(swapped(&pending), ["likely"]);
    assert_eq!(pending.to_text(), "", "nothing was chosen");
    assert_eq!(pending.in_list(false), initial);

    // Another arrangement leaves the choice to the list.
    let wide = initial.clone().in_list(true).sized("title", Some(300));
    let again = leads(&wide.to_text());
    assert_eq!(swapped(&again), ["approval_status"]);
    assert_eq!(swapped(&again.clone().in_list(true)), ["likely"]);
    assert_eq!(again.in_list(true), wide);

    // What fits is still that of the initial arrangement.
    let narrow = initial.in_list(true).fitting(700, "icp_score", false);
    assert!(narrow.is_compact());
    assert_eq!(swapped(&narrow), ["likely"]);
}

#[test]
fn a_choice_of_status_and_likelihood_holds_in_every_list() {
    let shown = |columns: Columns| {
        let again = leads(&columns.to_text());
        [false, true].map(|swaps| swapped(&again.clone().in_list(swaps)))
    };
    let (all, pending) = (leads(""), leads("").in_list(true));
    let both = vec!["approval_status", "likely"];
    let [status, likely] = [vec!["approval_status"], vec!["likely"]];
    let chosen = pending.shown("approval_status", true);
    assert_eq!(shown(chosen.clone()), [both.clone(), both.clone()]);
    assert_eq!(shown(all.shown("likely", true)), [both.clone(), both]);
    assert_eq!(
        shown(pending.shown("likely", false)),
        [status.clone(), status.clone()]
    );
    assert_eq!(
        shown(all.shown("approval_status", false)),
        [likely.clone(), likely.clone()]
    );
    // One of them is always shown, because it has the buttons.
    let pair = ["approval_status", "likely"];
    for (first, second) in [(pair[0], pair[1]), (pair[1], pair[0])] {
        let neither = chosen.shown(first, false).shown(second, false);
        assert_eq!(swapped(&neither).len(), 1);
    }
    assert_eq!(
        shown(leads("-likely.-approval_status")),
        [likely.clone(), likely]
    );
    // Stored before there was a likelihood.
    let stored = leads("name.title.approval_status");
    assert_eq!(shown(stored), [status.clone(), status]);
}

#[test]
fn a_column_moves_within_its_group() {
    let columns = leads("name*");
    assert!(!columns.can_move("name", true), "the others are not pinned");
    assert!(!columns.can_move("fit", false));
    assert!(columns.can_move("fit", true));
    assert_eq!(columns.moved("fit", false), columns);
}

#[test]
fn a_column_dropped_on_another_takes_its_place() {
    let columns = leads("").put("company", "title");
    assert_eq!(ids(&columns)[..4], ["fit", "name", "company", "title"]);
    let columns = leads("name*").put("company", "name");
    assert!(first(&columns).pinned && first(&columns).spec.id == "company");
    assert_eq!(
        ids(&leads("").put("name", "company"))[..4],
        ["fit", "title", "company", "name"]
    );
}

#[test]
fn unlisted_columns_come_last() {
    let named = ids(&leads("created_at.name.company"));
    assert_eq!(
        named[..5],
        ["created_at", "name", "company", "fit", "title"]
    );
    assert!(!named.contains(&"industry"), "hidden by default");
}

#[test]
fn invalid_parts_are_ignored() {
    assert_eq!(leads("x.y*.-z-9..fit.fit-400"), leads(""));
    let width = |text| first(&leads(text)).width;
    assert_eq!(width("name-1"), Some(MIN_WIDTH));
    assert_eq!(width("name-99999"), Some(MAX_WIDTH));
    assert_eq!(width("name-wide"), None);
}

#[test]
fn the_layout_is_part_of_the_address() {
    let view = LeadsView::from_query("density=compact&cols=title.name&tab=all");
    assert_eq!(view.table.layout.density, Density::Compact);
    assert_eq!(
        ids(&view.table.layout.columns(LEAD_COLUMN_SET))[..2],
        ["title", "name"]
    );
    assert_eq!(LeadsView::from_query(&view.to_query()), view);
    assert!(
        view.to_query()
            .starts_with("tab=all&density=compact&cols=title.name.")
    );
    let usual = LeadsView::from_query("density=comfortable&cols=fit.name.title");
    assert_eq!(usual.to_query(), "", "same as without a layout");
    let accounts = AccountsView::from_query("cols=industry.name&density=compact");
    assert_eq!(AccountsView::from_query(&accounts.to_query()), accounts);
    assert_eq!(
        (
            Density::Compact.row(ROW_HEIGHT),
            Density::Comfortable.row(ROW_HEIGHT)
        ),
        (32, 40)
    );
}

#[test]
fn a_layout_replaces_another_in_the_address() {
    let compact = Layout::default().turned();
    assert_eq!(
        compact.put_into("tab=all&cols=title.name&q=a+b"),
        "tab=all&q=a+b&density=compact"
    );
    assert_eq!(Layout::default().put_into("density=compact"), "");
    assert!(says_layout("q=x&density=compact") && !says_layout("q=density"));
}

#[test]
fn cells_follow_their_columns() {
    let cells = |columns: &Columns| -> Vec<usize> {
        columns.slots().iter().map(|slot| slot.cell).collect()
    };
    assert_eq!(cells(&leads("")), [0, 1, 2, 3, 4, 5, 11]);
    assert!(leads("").slots().iter().all(|slot| slot.left.is_none()));
    let columns = leads("-signal.company*-200.name*");
    assert_eq!(cells(&columns), [0, 4, 2, 1, 3, 11]);
    let left: Vec<_> = columns.slots().iter().map(|slot| slot.left).collect();
    assert_eq!(
        left[..4],
        [Some(16), Some(16 + 18 + 12), Some(46 + 200 + 12), None]
    );
}

#[test]
fn widths_match_the_grid() {
    let (tracks, least) = leads("").tracks();
    assert_eq!(
        tracks,
        "18px 112px minmax(188px, 85fr) minmax(224px, 120fr) minmax(166px, 120fr) minmax(216px, 120fr) 172px"
    );
    assert_eq!(least, 32 + 18 + 112 + 188 + 224 + 166 + 216 + 172 + 6 * 12);
    let (tracks, _) = leads("name*.title-220").tracks();
    assert!(
        tracks.starts_with("18px 188px 220px 112px minmax(166px"),
        "pinned columns do not grow"
    );
    let fixed = leads("name-100.title-100.company-100.-signal");
    assert!(
        fixed.tracks().0.ends_with("112px minmax(172px, 100fr)"),
        "no gap"
    );
}

type Change = Box<dyn Fn(&Columns) -> Columns>;

fn change(set: ColumnSet) -> impl Strategy<Value = (&'static str, u8, &'static str, u32)> {
    let id = select(set.columns.iter().map(|spec| spec.id).collect::<Vec<_>>());
    (id.clone(), 0..8u8, id, any::<u32>())
}

fn of((id, what, other, width): (&'static str, u8, &'static str, u32)) -> Change {
    Box::new(move |columns| match what {
        0 => columns.shown(id, false),
        1 => columns.shown(id, true),
        2 => columns.pinned(id, true),
        3 => columns.pinned(id, false),
        4 => columns.moved(id, width % 2 == 0),
        5 => columns.sized(id, Some(width)),
        6 => columns.sized(id, None),
        _ => columns.put(id, other),
    })
}

fn sound(columns: &Columns, set: ColumnSet) {
    let mut all: Vec<_> = columns.all().iter().map(|column| column.spec.id).collect();
    all.sort_unstable();
    let mut wanted: Vec<_> = set.columns.iter().map(|spec| spec.id).collect();
    wanted.sort_unstable();
    assert_eq!(all, wanted, "each column once");
    assert!(columns.all().is_sorted_by_key(|column| !column.pinned));
    assert!(ids(columns).contains(&"name"));
    for column in columns.visible() {
        assert!(
            column
                .width
                .is_none_or(|width| (MIN_WIDTH..=MAX_WIDTH).contains(&width))
        );
    }
    assert_eq!(Columns::from_text(set, &columns.to_text()), *columns);
}

proptest! {
    #[test]
    fn changes_keep_the_columns_valid(changes in prop::collection::vec(change(LEAD_COLUMN_SET), 0..30)) {
        let mut columns = Columns::initial(LEAD_COLUMN_SET);
        for change in changes {
            columns = of(change)(&columns);
            sound(&columns, LEAD_COLUMN_SET);
        }
    }

    #[test]
    fn any_text_is_a_valid_layout(text in "(-?[a-z_]{0,9}\\*?(-[0-9]{0,9})?\\.?){0,12}|.{0,40}") {
        sound(&Columns::from_text(ACCOUNT_COLUMN_SET, &text), ACCOUNT_COLUMN_SET);
        sound(&Columns::from_text(LEAD_COLUMN_SET, &text), LEAD_COLUMN_SET);
    }

    #[test]
    fn moving_back_restores_the_order(at in 0..LEAD_COLUMN_SET.columns.len(), text in "(name|title|company)\\*?\\.(location|industry)") {
        let (columns, id) = (Columns::from_text(LEAD_COLUMN_SET, &text), LEAD_COLUMN_SET.columns[at].id);
        if columns.can_move(id, true) {
            prop_assert_eq!(columns.moved(id, true).moved(id, false), columns);
        }
    }
}

#[test]
fn each_column_can_be_exported() {
    fn exports<T: Exported>(columns: &[ColumnSpec]) {
        for column in columns {
            let choice = ColumnChoice {
                list: vec![column.id.to_owned()],
                only: true,
            };
            assert!(
                export::Columns::<T>::new(&choice, Default::default()).is_ok(),
                "{}",
                column.id
            );
        }
    }
    exports::<ExportedLead>(LEAD_COLUMN_SET.columns);
    exports::<Account>(ACCOUNT_COLUMN_SET.columns);
}
