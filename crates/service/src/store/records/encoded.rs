//! Responses as JSON text, made on the thread of the read: the value itself need not move to another thread.

use std::marker::PhantomData;

use serde::Serialize;

use crate::store::error::StoreError;

/// The JSON text of a `T`.
pub struct Encoded<T> {
    text: Vec<u8>,
    of: PhantomData<fn() -> T>,
}

impl<T> Encoded<T> {
    /// Encodes a value that has the JSON of a `T`.
    pub(in crate::store) fn new(value: &impl Serialize) -> Result<Self, StoreError> {
        let text = serde_json::to_vec(value);
        let text = text.map_err(|error| StoreError::Unexpected(error.to_string()))?;
        Ok(Self {
            text,
            of: PhantomData,
        })
    }

    pub fn into_text(self) -> Vec<u8> {
        self.text
    }
}

#[cfg(test)]
impl<T: lead_workspace_api::Decode> Encoded<T> {
    pub(in crate::store) fn decode(&self) -> T {
        T::decode(&self.text).unwrap()
    }
}
