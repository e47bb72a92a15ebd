//! Rows are added and removed all the time: removed rows must not leak.

use std::cell::Cell;
use std::rc::Rc;

use gloo_timers::future::TimeoutFuture;
use js_sys::{ArrayBuffer, WebAssembly};
use lead_workspace::app::components::dom::{KeyedRow, b, div, effect, p};
use lead_workspace::app::components::grid_row::Rendered;
use lead_workspace::app::components::markup::Markup;
use lead_workspace::app::mount_with;
use lead_workspace::app::reactive::{RwSignal, memo};
use wasm_bindgen::JsCast;
use wasm_bindgen_test::wasm_bindgen_test;
use web_sys::{Element, HtmlElement, window};

const SHOWN: u64 = 50;

fn memory() -> u32 {
    let memory: WebAssembly::Memory = wasm_bindgen::memory().unchecked_into();
    memory
        .buffer()
        .unchecked_into::<ArrayBuffer>()
        .byte_length()
}

#[wasm_bindgen_test]
async fn removed_rows_leak_no_memory() {
    let document = window().unwrap().document().unwrap();
    let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
    let from = RwSignal::new(0);
    // State that lives as long as the app and does not change while the user only scrolls, like decisions, selection,
    // cursor and columns.
    let long = RwSignal::new(1);
    let derived = memo(move |_| long.get());
    let draw = move |index: u64| {
        let text = memo(move |_| (index * long.get()).to_string());
        let memo = memo(move |_| derived.get());
        effect(move || {
            derived.get();
        });
        p().child(move || text.get())
            .attr("data-long", move || (long.get() + memo.get()).to_string())
            .child(move || (derived.get() > 1).then(b))
    };
    let rows = move || {
        let from = from.get();
        let row = |index: u64| KeyedRow {
            key: index.to_string().into(),
            version: 0,
            draw: Rc::new(move || draw(index)),
        };
        (from..from + SHOWN).map(row).collect()
    };
    let app = mount_with(root.clone(), move || div().keyed_rows(rows));
    let turn = async |times: u64| {
        for _ in 0..times {
            from.set(from.get_untracked() + SHOWN);
            TimeoutFuture::new(0).await;
        }
    };
    turn(100).await;
    let before = memory();
    turn(1_000).await;
    let last = root.query_selector("p:last-of-type").unwrap().unwrap();
    let expected = (1_101 * SHOWN - 1).to_string();
    assert_eq!(
        last.text_content().as_deref(),
        Some(&*expected),
        "all rows were rendered"
    );
    let grown = memory() - before;
    assert!(grown < 256 * 1024, "50,000 rows left {grown} bytes");
    drop(app);
}

/// Returns an element that is not in the document.
fn place() -> HtmlElement {
    let document = window().unwrap().document().unwrap();
    document.create_element("div").unwrap().unchecked_into()
}

#[wasm_bindgen_test]
async fn rows_are_kept_and_updated_where_they_differ() {
    let root = place();
    let shown = RwSignal::new((0, vec!["a", "b", "c"]));
    let app = mount_with(root.clone(), move || {
        div().recycled_rows(move || {
            let (first, names) = shown.get();
            let row = |name: &'static str| {
                let mark = (name == "x").then(|| Markup::new("b").text("!"));
                Markup::new("p")
                    .attr("title", name)
                    .children(mark)
                    .text(name)
            };
            (first, names.into_iter().map(row).collect())
        })
    });
    let look = || -> Vec<(Element, String)> {
        let rows = root.query_selector_all("p").unwrap();
        let rows = (0..rows.length()).map(|at| rows.item(at).unwrap().unchecked_into());
        let read = |row: Element| {
            let text = row.text_content().unwrap();
            assert!(
                row.get_attribute("title")
                    .is_some_and(|title| text.ends_with(&title))
            );
            (row, text)
        };
        rows.map(read).collect()
    };
    let show = async |first: u64, names: &[&'static str]| {
        shown.set((first, names.to_vec()));
        TimeoutFuture::new(0).await;
        let rows = look();
        let texts: Vec<String> = rows.iter().map(|(_, text)| text.replace('!', "")).collect();
        assert_eq!(texts, names);
        rows.into_iter().map(|(row, _)| row).collect::<Vec<_>>()
    };
    let [a, b, c] = <[_; 3]>::try_from(show(0, &["a", "b", "c"]).await).unwrap();
    // Scrolled down and up again: rows that leave at one end are reused at the other.
    assert_eq!(
        show(1, &["b", "c", "d"]).await,
        [b.clone(), c.clone(), a.clone()]
    );
    assert_eq!(
        show(0, &["a", "b", "c"]).await,
        [a.clone(), b.clone(), c.clone()]
    );
    // At another position and in another order, each row is updated in place.
    assert_eq!(
        show(90, &["x", "y", "z"]).await,
        [a.clone(), b.clone(), c.clone()]
    );
    assert_eq!(a.text_content().as_deref(), Some("!x"));
    assert_eq!(show(90, &["z", "y"]).await, [a.clone(), b.clone()]);
    // Longer again: one row is reused at the top, and one is created.
    let rows = show(89, &["x", "z", "y"]).await;
    assert_eq!(rows[..2], [b, a]);
    drop(app);
}

#[wasm_bindgen_test]
async fn a_row_never_shows_the_picture_of_another() {
    let root = place();
    let source = RwSignal::new("data:,1");
    let app = mount_with(root.clone(), move || {
        div().recycled_rows(move || {
            let picture = Markup::new("img").attr("src", source.get());
            (0, vec![Markup::new("p").child(picture)])
        })
    });
    let picture = || root.query_selector("img").unwrap().unwrap();
    let before = picture();
    source.set("data:,2");
    TimeoutFuture::new(0).await;
    assert_ne!(picture(), before);
    assert_eq!(picture().get_attribute("src").as_deref(), Some("data:,2"));
    drop(app);
}

/// A row that counts how often any row was rendered.
struct Counted(u64);

thread_local! {
    static RENDERED: Cell<u32> = const { Cell::new(0) };
}

impl PartialEq for Counted {
    fn eq(&self, other: &Self) -> bool {
        self.0 == other.0
    }
}

impl Rendered for Counted {
    fn markup(&self) -> Markup {
        RENDERED.set(RENDERED.get() + 1);
        Markup::new("p").text(self.0.to_string())
    }
}

#[wasm_bindgen_test]
async fn only_rows_that_changed_are_rendered_again() {
    let root = place();
    let shown = RwSignal::new((0, vec![1, 2, 3]));
    let app = mount_with(root.clone(), move || {
        div().recycled_rows(move || {
            let (first, rows) = shown.get();
            (first, rows.into_iter().map(Counted).collect::<Vec<_>>())
        })
    });
    let texts = || root.text_content().unwrap();
    assert_eq!((RENDERED.get(), texts()), (3, "123".to_owned()));
    shown.set((0, vec![1, 5, 3]));
    TimeoutFuture::new(0).await;
    assert_eq!((RENDERED.get(), texts()), (4, "153".to_owned()));
    // The rows that stay in view keep their elements.
    shown.set((1, vec![5, 3, 7]));
    TimeoutFuture::new(0).await;
    assert_eq!((RENDERED.get(), texts()), (5, "537".to_owned()));
    drop(app);
}

#[wasm_bindgen_test]
async fn a_broken_picture_is_hidden() {
    use lead_workspace::app::components::avatar::avatar;
    use lead_workspace::app::components::dom::El;

    let document = window().unwrap().document().unwrap();
    let root: HtmlElement = document.create_element("div").unwrap().unchecked_into();
    document.body().unwrap().append_child(&root).unwrap();
    let app = mount_with(root.clone(), || {
        El::from(avatar("AB", Some("data:image/png;base64,AAAA")))
    });
    let image = root.query_selector("img").unwrap().unwrap();
    // Otherwise the image loads only when it is in view.
    image.set_attribute("loading", "eager").unwrap();
    for _ in 0..100 {
        if image.has_attribute("hidden") {
            break;
        }
        TimeoutFuture::new(20).await;
    }
    assert!(image.has_attribute("hidden"));
    drop(app);
    root.remove();
}
