//! A description of an element, as a value. The rows of a long list are described this way, and the elements in the
//! page are then changed where they differ (see [`rows`](super::rows)). Scrolling, sorting and deciding create no
//! elements.

use std::borrow::Cow;
use std::rc::Rc;

/// A text that is mostly a constant.
pub type Text = Cow<'static, str>;

/// An element: its tag, its attributes in a fixed order, and what is in it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Markup {
    /// The tag.
    pub tag: &'static str,
    /// What tells it from its siblings where some of them come and go, such as its column. Siblings all have one, or none.
    pub key: Option<usize>,
    /// Name and value.
    pub attrs: Vec<(&'static str, Text)>,
    /// Its `grid-template-columns`, which many rows share.
    pub columns: Option<Rc<str>>,
    /// What is in it.
    pub children: Vec<Child>,
}

/// What stands in an element.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Child {
    /// An element.
    Element(Markup),
    /// A text.
    Text(Text),
    /// A drawing; see [`icon`](super::icon).
    Icon(&'static str),
}

impl Child {
    /// The key of an element that has one.
    pub fn key(&self) -> Option<usize> {
        match self {
            Self::Element(element) => element.key,
            Self::Text(_) | Self::Icon(_) => None,
        }
    }
}

impl Markup {
    /// An element without anything.
    pub fn new(tag: &'static str) -> Self {
        Self {
            tag,
            key: None,
            attrs: Vec::new(),
            columns: None,
            children: Vec::new(),
        }
    }

    /// An element with a class.
    pub fn classed(tag: &'static str, class: &'static str) -> Self {
        Self::new(tag).attr("class", class)
    }

    /// A button with a word on it, which the Tab key passes over: the grid is one stop.
    pub fn button(class: &'static str, label: &'static str) -> Self {
        Self::classed("button", class)
            .attr("type", "button")
            .attr("tabindex", "-1")
            .text(label)
    }

    /// Gives it a key.
    pub fn keyed(mut self, key: usize) -> Self {
        self.key = Some(key);
        self
    }

    /// Adds an attribute.
    pub fn attr(mut self, name: &'static str, value: impl Into<Text>) -> Self {
        self.attrs.push((name, value.into()));
        self
    }

    /// Adds an attribute, where there is a value.
    pub fn attr_opt(self, name: &'static str, value: Option<impl Into<Text>>) -> Self {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    /// Adds an attribute that is "true" or "false".
    pub fn flag(self, name: &'static str, on: bool) -> Self {
        self.attr(name, if on { "true" } else { "false" })
    }

    /// Adds a class to those that it has.
    pub fn class(mut self, class: &'static str) -> Self {
        let had = self.attrs.iter_mut().find(|(name, _)| *name == "class");
        match had {
            Some((_, value)) => *value = [value, " ", class].concat().into(),
            None => self.attrs.push(("class", class.into())),
        }
        self
    }

    /// Adds a text; none where it is empty.
    pub fn text(mut self, text: impl Into<Text>) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.children.push(Child::Text(text));
        }
        self
    }

    /// Adds a drawing.
    pub fn icon(mut self, path: &'static str) -> Self {
        self.children.push(Child::Icon(path));
        self
    }

    /// Adds an element.
    pub fn child(mut self, child: Self) -> Self {
        self.children.push(Child::Element(child));
        self
    }

    /// Adds elements.
    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children
            .extend(children.into_iter().map(Child::Element));
        self
    }
}
