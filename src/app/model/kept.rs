//! Values of the server that are kept as they are, next to what is shown of them.

use std::ops::Deref;
use std::sync::Arc;

use lead_workspace_api::Raw;

/// A value that only equals itself. To compare what is in it would be a lot of code, and no view needs it.
#[derive(Debug)]
pub struct Kept<T>(pub Arc<T>);

impl<T> Clone for Kept<T> {
    fn clone(&self) -> Self {
        Self(Arc::clone(&self.0))
    }
}

impl<T> PartialEq for Kept<T> {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl<T> Deref for Kept<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &self.0
    }
}

/// JSON that is compared by its text.
#[derive(Clone, Debug)]
pub struct JsonText(pub Raw);

impl PartialEq for JsonText {
    fn eq(&self, other: &Self) -> bool {
        self.0.text() == other.0.text()
    }
}
