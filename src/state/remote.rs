//! A value that comes from the server.

use std::sync::Arc;

/// How a remote value stands.
#[derive(Clone, Debug, PartialEq)]
pub enum Remote<T, E> {
    /// Never asked for.
    Idle,
    /// Asked for the first time.
    Loading,
    /// Here.
    Loaded(Arc<T>),
    /// Asked for again; the old one stays until the new one is here.
    Refreshing(Arc<T>),
    /// Could not be had; with the last one that could.
    Failed(Arc<E>, Option<Arc<T>>),
}

impl<T, E> Remote<T, E> {
    /// The value that can be shown, current or not.
    pub fn value(&self) -> Option<&Arc<T>> {
        match self {
            Self::Loaded(value) | Self::Refreshing(value) | Self::Failed(_, Some(value)) => {
                Some(value)
            }
            _ => None,
        }
    }

    /// Why the last attempt failed.
    pub fn error(&self) -> Option<&Arc<E>> {
        match self {
            Self::Failed(error, _) => Some(error),
            _ => None,
        }
    }

    /// Whether an answer is awaited.
    pub fn is_busy(&self) -> bool {
        matches!(self, Self::Loading | Self::Refreshing(_))
    }

    /// It is asked for.
    pub fn start(&mut self) {
        *self = match self.value() {
            Some(value) => Self::Refreshing(Arc::clone(value)),
            None => Self::Loading,
        };
    }

    /// The answer is here.
    pub fn finish(&mut self, answer: Result<Arc<T>, E>) {
        *self = match answer {
            Ok(value) => Self::Loaded(value),
            Err(error) => Self::Failed(Arc::new(error), self.value().cloned()),
        };
    }
}
