//! The bridge between [`El`] and Leptos' views: an element in `view!`, and a `view!` or a component in an element.

use leptos::prelude::*;
use leptos::tachys::html::attribute::any_attribute::AnyAttribute;
use leptos::tachys::hydration::Cursor;
use leptos::tachys::no_attrs;
use leptos::tachys::renderer::types;
use leptos::tachys::view::{Mountable, Position, PositionState, Render, RenderHtml};
use send_wrapper::SendWrapper;

use super::{Child, El, Subscription};

/// An element as a view. Leptos asks for views that may move to another thread, which this one must not.
pub struct ElView(SendWrapper<El>);

impl El {
    /// Returns the element for use in `view!`.
    pub fn view(self) -> ElView {
        ElView(SendWrapper::new(self))
    }
}

impl<V: Render> Child for View<V>
where
    V::State: 'static,
{
    fn add_to(self, mut parent: El) -> El {
        let mut state = self.build();
        state.mount(&parent.node, None);
        parent
            .subscriptions
            .push(Subscription::Leptos(Box::new(state)));
        parent
    }
}

impl Mountable for El {
    fn unmount(&mut self) {
        self.node.remove();
    }

    fn mount(&mut self, parent: &types::Element, marker: Option<&types::Node>) {
        // A new node can be inserted anywhere.
        let _ = parent.insert_before(&self.node, marker);
    }

    fn insert_before_this(&self, child: &mut dyn Mountable) -> bool {
        let parent = self.node.parent_element();
        if let Some(parent) = &parent {
            child.mount(parent, Some(&self.node));
        }
        parent.is_some()
    }

    fn elements(&self) -> Vec<types::Element> {
        vec![self.node()]
    }
}

impl Render for ElView {
    type State = El;

    fn build(self) -> El {
        self.0.take()
    }

    fn rebuild(self, state: &mut El) {
        let mut new = self.build();
        state.insert_before_this(&mut new);
        state.unmount();
        *state = new;
    }
}

no_attrs!(ElView);

/// There is no server-side rendering: the HTML is empty.
impl RenderHtml for ElView {
    type AsyncOutput = Self;
    type Owned = Self;

    const MIN_LENGTH: usize = 0;

    fn dry_resolve(&mut self) {}

    async fn resolve(self) -> Self {
        self
    }

    fn to_html_with_buf(
        self,
        _: &mut String,
        _: &mut Position,
        _: bool,
        _: bool,
        _: Vec<AnyAttribute>,
    ) {
    }

    fn hydrate<const FROM_SERVER: bool>(self, _: &Cursor, _: &PositionState) -> El {
        self.build()
    }

    fn into_owned(self) -> Self {
        self
    }
}
