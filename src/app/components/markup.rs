//! Description of an element, as a value. Rows of long lists are described this way, and [`rows`](super::row_elements)
//! updates the DOM where the descriptions differ. Scrolling, sorting and deciding create no elements.

use std::borrow::Cow;
use std::sync::Arc;

/// A text that is usually a constant.
pub type Text = Cow<'static, str>;

/// An element: its tag, its attributes in a fixed order, and its children.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Markup {
    pub tag: &'static str,
    /// Tells the element from siblings that are added and removed, for example its column. Either all siblings have a
    /// key, or none.
    pub key: Option<usize>,
    /// Names and values.
    pub attrs: Vec<(&'static str, Text)>,
    /// Value of `grid-template-columns`, shared by many rows.
    pub columns: Option<Arc<str>>,
    pub children: Vec<MarkupNode>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum MarkupNode {
    Element(Markup),
    Text(Text),
    /// Path of an icon; see [`icon`](super::icon).
    Icon(&'static str),
}

impl MarkupNode {
    pub fn key(&self) -> Option<usize> {
        match self {
            Self::Element(element) => element.key,
            Self::Text(_) | Self::Icon(_) => None,
        }
    }
}

impl Markup {
    pub fn new(tag: &'static str) -> Self {
        Self {
            tag,
            key: None,
            attrs: Vec::new(),
            columns: None,
            children: Vec::new(),
        }
    }

    /// Creates a button that the Tab key skips: the grid is a single tab stop.
    pub fn button(class: &'static str, label: &'static str) -> Self {
        Self::new("button")
            .class(class)
            .attr("type", "button")
            .attr("tabindex", "-1")
            .text(label)
    }

    pub fn keyed(mut self, key: usize) -> Self {
        self.key = Some(key);
        self
    }

    pub fn attr(mut self, name: &'static str, value: impl Into<Text>) -> Self {
        self.attrs.push((name, value.into()));
        self
    }

    /// Adds an attribute if there is a value.
    pub fn attr_opt(self, name: &'static str, value: Option<impl Into<Text>>) -> Self {
        match value {
            Some(value) => self.attr(name, value),
            None => self,
        }
    }

    /// Adds an attribute with the value `true` or `false`.
    pub fn flag(self, name: &'static str, on: bool) -> Self {
        self.attr(name, if on { "true" } else { "false" })
    }

    /// Adds a class to the existing ones.
    pub fn class(mut self, class: &'static str) -> Self {
        let had = self.attrs.iter_mut().find(|(name, _)| *name == "class");
        match had {
            Some((_, value)) => *value = [value, " ", class].concat().into(),
            None => self.attrs.push(("class", class.into())),
        }
        self
    }

    /// Adds a text, unless it is empty.
    pub fn text(mut self, text: impl Into<Text>) -> Self {
        let text = text.into();
        if !text.is_empty() {
            self.children.push(MarkupNode::Text(text));
        }
        self
    }

    pub fn icon(mut self, path: &'static str) -> Self {
        self.children.push(MarkupNode::Icon(path));
        self
    }

    pub fn child(mut self, child: Self) -> Self {
        self.children.push(MarkupNode::Element(child));
        self
    }

    pub fn children(mut self, children: impl IntoIterator<Item = Self>) -> Self {
        self.children
            .extend(children.into_iter().map(MarkupNode::Element));
        self
    }
}
