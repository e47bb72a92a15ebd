//! What an element takes as an attribute and as a child.

use leptos::prelude::*;

use super::{El, Subscription, insert, set};

/// The value of an attribute: a text, an optional text, or a closure that returns a text and is run again when it changes.
pub trait AttributeValue {
    fn set_on(self, el: El, name: &'static str) -> El;
}

impl AttributeValue for &str {
    fn set_on(self, el: El, name: &'static str) -> El {
        set(&el.node, name, self);
        el
    }
}

impl AttributeValue for String {
    fn set_on(self, el: El, name: &'static str) -> El {
        self.as_str().set_on(el, name)
    }
}

impl AttributeValue for &String {
    fn set_on(self, el: El, name: &'static str) -> El {
        self.as_str().set_on(el, name)
    }
}

impl<V: AttributeValue> AttributeValue for Option<V> {
    fn set_on(self, el: El, name: &'static str) -> El {
        match self {
            Some(value) => value.set_on(el, name),
            None => el,
        }
    }
}

impl<F: FnMut() -> String + 'static> AttributeValue for F {
    fn set_on(self, el: El, name: &'static str) -> El {
        let node = el.node.clone();
        el.keep_text(Box::new(self), move |value| set(&node, name, value))
    }
}

/// A child of an element: an element, a text, either of them as an option, or a closure that returns one and is run again
/// when a signal that it read changes.
pub trait Child {
    fn add_to(self, parent: El) -> El;
}

impl Child for El {
    fn add_to(self, mut parent: El) -> El {
        parent.append(&self.node);
        parent.subscriptions.extend(self.subscriptions);
        parent
    }
}

impl Child for &str {
    fn add_to(self, parent: El) -> El {
        if !self.is_empty() {
            parent.append(&document().create_text_node(self));
        }
        parent
    }
}

impl Child for &&str {
    fn add_to(self, parent: El) -> El {
        parent.child(*self)
    }
}

impl Child for String {
    fn add_to(self, parent: El) -> El {
        parent.child(self.as_str())
    }
}

impl Child for &String {
    fn add_to(self, parent: El) -> El {
        parent.child(self.as_str())
    }
}

impl<C: Child> Child for Option<C> {
    fn add_to(self, parent: El) -> El {
        match self {
            Some(child) => parent.child(child),
            None => parent,
        }
    }
}

impl<F: FnMut() -> C + 'static, C: DynamicChild> Child for F {
    fn add_to(self, parent: El) -> El {
        C::add_to(Box::new(self), parent)
    }
}

/// A child that changes.
pub trait DynamicChild: Sized {
    fn add_to(child: Box<dyn FnMut() -> Self>, parent: El) -> El;
}

impl DynamicChild for String {
    fn add_to(child: Box<dyn FnMut() -> Self>, parent: El) -> El {
        let node = document().create_text_node("");
        parent.append(&node);
        parent.keep_text(child, move |text| node.set_data(text))
    }
}

impl DynamicChild for Option<El> {
    fn add_to(mut child: Box<dyn FnMut() -> Self>, mut parent: El) -> El {
        let marker = document().create_comment("");
        parent.append(&marker);
        let effect: Box<dyn FnMut(Option<Self>) -> Self> = Box::new(move |old| {
            if let Some(Some(old)) = old {
                old.node.remove();
            }
            let new = child()?;
            insert(&new.node, &marker);
            Some(new)
        });
        parent
            .subscriptions
            .push(Subscription::View(RenderEffect::new(effect)));
        parent
    }
}
