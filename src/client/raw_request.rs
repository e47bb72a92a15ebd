//! Requests outside of the endpoint table: areas that the contract names without specifying them.

use lead_workspace_api::{Method, Raw, without_mark};

use super::error::Error;
use super::operation::{Operation, Parameters};
use super::request_path::refusal;
use super::{ApiResponse, Call, CallOptions, Client};

impl Client {
    /// Sends a request to a path of the workspace, with the client's key, errors and waits. An
    /// example is `POST /api/enrichment/reverse-email-lookups`, which the contract only names.
    /// `body` is JSON.
    ///
    /// Only GET is retried by default. Set the `retries` option only if the request may safely
    /// arrive twice.
    ///
    /// # Errors
    /// Fails like any call. A path that could lead to another server is refused before anything is
    /// sent.
    pub fn request(&self, method: Method, path: &str, body: Option<&Raw>) -> Call<Option<Raw>> {
        let call = self.request_bytes(method, path, body.map(|body| body.text().to_owned()));
        let client = self.clone();
        Box::pin(async move {
            let response = call.await?;
            let unreadable = |reason: &str| client.undecodable_request(method, &response, reason);
            let text = std::str::from_utf8(without_mark(&response.body));
            let text = text.map_err(|_| unreadable("it is not UTF-8"))?;
            if text.trim().is_empty() {
                return Ok(None);
            }
            Raw::parse(text.to_owned())
                .map(Some)
                .map_err(|problem| unreadable(&problem.to_string()))
        })
    }

    /// Returns URL and headers for a request that does not use the transport, such as a file upload.
    #[cfg(feature = "ui")]
    pub(crate) fn url_and_headers(&self, path: &str) -> (String, Vec<(&'static str, String)>) {
        let config = &self.shared.config;
        let url = [config.base_url(), path].concat();
        (url, config.headers(config.credentials.as_ref()))
    }

    /// Like [`request`](Self::request), but takes and returns the body as is.
    pub(crate) fn request_bytes(
        &self,
        method: Method,
        path: &str,
        body: Option<String>,
    ) -> Call<ApiResponse> {
        let operation = Operation::raw(method);
        let refusal = match (method, &body) {
            (Method::Get, Some(_)) => Some("a GET request cannot have a body".to_owned()),
            _ if self.options.extra.has_members() => {
                Some("the body of a request is an argument and has no extra members".to_owned())
            }
            _ => refusal(path),
        };
        let request = match refusal {
            None => {
                let query = self.options.extra.query.clone();
                let parameters = Parameters { query, body };
                Ok(operation.outgoing(&self.shared.config, path, parameters))
            }
            Some(reason) => Err(operation.argument_error(reason)),
        };
        let retries = match method {
            Method::Get => self.options.retries,
            _ => self.options.retries.or(Some(0)),
        };
        let options = CallOptions {
            retries,
            ..self.options.clone()
        };
        self.with_options(options).send(operation, request)
    }

    /// Returns the error for a successful response whose body cannot be decoded.
    pub(crate) fn undecodable_request(
        &self,
        method: Method,
        response: &ApiResponse,
        reason: &str,
    ) -> Error {
        self.shared
            .undecodable(Operation::raw(method), response, reason)
    }
}
