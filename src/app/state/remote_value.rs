//! A value that is loaded from the server.

use std::sync::Arc;

#[derive(Clone, Debug, PartialEq)]
pub enum Remote<T, E> {
    /// Never requested.
    Idle,
    /// Requested for the first time.
    Loading,
    Loaded(Arc<T>),
    /// Requested again. The old value stays until the response arrives.
    Refreshing(Arc<T>),
    /// The request failed. With the last value, if any.
    Failed(Arc<E>, Option<Arc<T>>),
}

impl<T, E> Remote<T, E> {
    /// Returns the value to show, current or not.
    pub fn value(&self) -> Option<&Arc<T>> {
        match self {
            Self::Loaded(value) | Self::Refreshing(value) | Self::Failed(_, Some(value)) => {
                Some(value)
            }
            _ => None,
        }
    }

    /// Returns why the last request failed.
    pub fn error(&self) -> Option<&Arc<E>> {
        match self {
            Self::Failed(error, _) => Some(error),
            _ => None,
        }
    }

    /// Returns whether a response is awaited.
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Loading | Self::Refreshing(_))
    }

    /// Marks the value as requested.
    pub fn start(&mut self) {
        *self = match self.value() {
            Some(value) => Self::Refreshing(Arc::clone(value)),
            None => Self::Loading,
        };
    }

    /// Shows the last value again: the request was cancelled.
    pub fn cancel(&mut self) {
        *self = match self.value() {
            Some(value) => Self::Loaded(Arc::clone(value)),
            None => Self::Idle,
        };
    }

    /// Stores the response, unless a request in the background failed: then the value stays.
    pub fn finish_or_keep(&mut self, response: Result<Arc<T>, E>) {
        if response.is_ok() || self.is_busy() {
            self.finish(response);
        }
    }

    /// Stores the response.
    pub fn finish(&mut self, response: Result<Arc<T>, E>) {
        *self = match response {
            Ok(value) => Self::Loaded(value),
            Err(error) => Self::Failed(Arc::new(error), self.value().cloned()),
        };
    }
}
