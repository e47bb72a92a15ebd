//! A Python client that is generated from the OpenAPI document, and calls the service.

use std::path::Path;

use anyhow::Result;

use super::check::check;
use super::count::Count;
use crate::progress;
use crate::repo;
use crate::setup::python;
use crate::soak::fuzz::{Requests, Service};

const SET: &str = "openapi-python-client";

/// Generates the client without a warning, and runs `tests/api/client.py` with it.
pub fn all() -> Result<Count> {
    let service = Service::start(Requests::SHORT.leads)?;
    let clients = repo::target().join("xtask/api-client");
    repo::clear(&clients)?;
    let mut generate = python::module(SET, "openapi_python_client")?;
    generate
        .args(["generate", "--meta", "none", "--fail-on-warning"])
        .args(["--config", "xtask/python/openapi-python-client.yml"])
        .arg("--url")
        .arg(format!("{}/openapi.json", service.address))
        .arg("--output-path")
        .arg(clients.join("workspace"));
    progress::run("generated client", &mut generate)?
        .or_fail("No client was generated from /openapi.json.")?;
    let mut call = python::script(SET, Path::new("tests/api/client.py"), &clients)?;
    check(
        "calls of the client",
        call.args([&service.address, &service.key]),
    )
}
