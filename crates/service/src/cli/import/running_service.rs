//! Import through the service that holds the lock of the data folder.

use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use futures_util::stream;
use http::header::{AUTHORIZATION, HOST};
use http::{Request, StatusCode};
use http_body_util::{BodyExt, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper_util::rt::TokioIo;
use lead_workspace_api::import::{ImportEvent, ImportReport};
use lead_workspace_api::{Detail, ErrorBody};
use tokio::net::TcpStream;

use super::super::message;
use super::super::output::tell_line;
use super::super::service_files::{SERVICE_FILE, ServiceInfo};
use super::no_workspace;
use crate::import::ImportOptions;
use crate::store::keys::{self, NewKey};
use crate::store::{SharedDatabase, Tenant};

const CHUNK: usize = 64 * 1024;

/// Name of the temporary keys that imports create.
const KEY_NAME: &str = "import";

pub(super) struct RunningService {
    /// Host and port.
    address: String,
    dir: PathBuf,
}

/// A key for one request, revoked on drop. This process can write to the folder, so it needs no
/// long-lived key and can import into any workspace.
struct TemporaryKey {
    dir: PathBuf,
    key: NewKey,
}

impl TemporaryKey {
    fn make(dir: &Path, tenant_id: &str) -> Result<Self, String> {
        let created = SharedDatabase::of_folder(dir).and_then(|mut database| {
            database.change(|db| match Tenant::find(db, tenant_id)? {
                Some(_) => keys::create(db, KEY_NAME, &[tenant_id]).map(Some),
                None => Ok(None),
            })
        });
        let key = created
            .map_err(message)?
            .ok_or_else(|| no_workspace(tenant_id, "imported"))?;
        Ok(Self {
            dir: dir.to_owned(),
            key,
        })
    }
}

impl Drop for TemporaryKey {
    fn drop(&mut self) {
        let revoked = SharedDatabase::of_folder(&self.dir)
            .and_then(|mut database| database.change(|db| keys::revoke(db, &self.key.key_id)));
        if let Err(error) = revoked {
            let key_id = &self.key.key_id;
            tell_line!(
                "could not revoke the key of this import: {error}. Revoke it with: keys revoke {key_id}"
            );
        }
    }
}

impl RunningService {
    /// Finds the service that holds the lock of a folder. `holder` is the process id of the lock
    /// holder; fails if that process is not serving yet.
    pub(super) fn of(dir: &Path, holder: Option<u32>) -> Result<Self, String> {
        let in_use = |by: &str| {
            format!(
                "the data folder {} is in use by {by}. Nothing was imported; try again when it is done",
                dir.display()
            )
        };
        let text = fs::read_to_string(dir.join(SERVICE_FILE));
        let info: Option<ServiceInfo> = text.ok().and_then(|text| serde_json::from_str(&text).ok());
        let info = info.filter(|info| holder.is_none_or(|holder| holder == info.pid));
        let Some(info) = info else {
            return Err(in_use(&match holder {
                Some(pid) => format!("another process ({pid}) that is not serving yet"),
                None => "another process that is not serving yet".into(),
            }));
        };
        let Some(address) = info.url.strip_prefix("http://") else {
            return Err(format!(
                "the service at {} uses TLS, and this command sends files only without it. Nothing \
                 was imported. Import the file on the page Import of the UI, or stop the service and \
                 try again",
                info.url
            ));
        };
        Ok(Self {
            address: address.trim_end_matches('/').to_owned(),
            dir: dir.to_owned(),
        })
    }

    /// Uploads the file and passes on the events of the import. Returns the final report.
    pub(super) async fn import(
        &self,
        file: File,
        options: &ImportOptions,
        tenant_id: &str,
        mut on_event: impl FnMut(&ImportEvent),
    ) -> Result<ImportReport, String> {
        let broken = |error: &dyn std::fmt::Display| {
            format!(
                "the connection to the service at {} was lost: {error}. \
                 Earlier lines were imported; import the file again to continue",
                self.address
            )
        };
        let mut response = self.send(file, options, tenant_id).await?;
        if response.status() != StatusCode::OK {
            let body = response
                .into_body()
                .collect()
                .await
                .map_err(|error| broken(&error))?;
            return Err(format!(
                "the service refused the import: {}. Nothing was imported",
                reason(&body.to_bytes())
            ));
        }
        let mut lines = Vec::new();
        while let Some(frame) = response.body_mut().frame().await {
            let chunk = frame
                .map_err(|error| broken(&error))?
                .into_data()
                .unwrap_or_default();
            lines.extend_from_slice(&chunk);
            while let Some(end) = lines.iter().position(|byte| *byte == b'\n') {
                let line: Vec<u8> = lines.drain(..=end).collect();
                match serde_json::from_slice(&line).map_err(|error| broken(&error))? {
                    ImportEvent::Done(report) => return Ok(report),
                    ImportEvent::Error { message } => return Err(message),
                    event => on_event(&event),
                }
            }
        }
        Err(broken(&"the response is incomplete"))
    }

    async fn send(
        &self,
        file: File,
        options: &ImportOptions,
        tenant_id: &str,
    ) -> Result<http::Response<Incoming>, String> {
        let failed = |error: &dyn std::fmt::Display| {
            format!(
                "the service at {} does not respond ({error}). Nothing was imported; \
                 check that it is running",
                self.address
            )
        };
        let stream = TcpStream::connect(&self.address)
            .await
            .map_err(|error| failed(&error))?;
        // The service checks the key before it starts to respond, so the key can be revoked after
        // that.
        let key = TemporaryKey::make(&self.dir, tenant_id)?;
        let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
            .await
            .map_err(|error| failed(&error))?;
        // The task ends with the exchange, which also returns the errors of the connection.
        tokio::spawn(connection);
        let request = Request::post(format!("/import?{}", query(options)))
            .header(HOST, &self.address)
            .header(AUTHORIZATION, format!("Bearer {}", key.key.text))
            .header("x-tenant-id", tenant_id)
            .body(body(file))
            .map_err(|error| failed(&error))?;
        sender
            .send_request(request)
            .await
            .map_err(|error| failed(&error))
    }
}

/// Returns the message of an error response.
fn reason(body: &[u8]) -> String {
    match serde_json::from_slice(body).map(|ErrorBody { detail }| detail) {
        Ok(Detail::Text(text)) => text,
        Ok(Detail::Entries(entries)) => {
            let messages = entries.into_iter().map(|entry| entry.msg);
            messages.collect::<Vec<_>>().join("; ")
        }
        Ok(Detail::Other(_)) | Err(_) => String::from_utf8_lossy(body).into_owned(),
    }
}

fn query(options: &ImportOptions) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    query.append_pair("file_name", &options.file_name);
    if let Some(format) = options.format {
        query.append_pair("format", format.as_str());
    }
    if let Some(sheet) = &options.sheet {
        query.append_pair("sheet", sheet);
    }
    if let Some(list) = &options.list {
        query.append_pair("list", list);
    }
    for column in &options.overrides {
        query.append_pair("map", &column.to_string());
    }
    if !options.score {
        query.append_pair("score", "false");
    }
    query.finish()
}

/// A file as a body that is read only as fast as it is sent.
type FileBody = StreamBody<stream::BoxStream<'static, io::Result<Frame<Bytes>>>>;

fn body(file: File) -> FileBody {
    let chunks = stream::unfold(Some(file), async |file| {
        let mut file = file?;
        // Blocking reads must not run on the async threads.
        let read = tokio::task::spawn_blocking(move || {
            let mut chunk = vec![0; CHUNK];
            let length = file.read(&mut chunk)?;
            chunk.truncate(length);
            Ok((chunk, file))
        });
        match read
            .await
            .unwrap_or_else(|error| Err(io::Error::other(error)))
        {
            Ok((chunk, _)) if chunk.is_empty() => None,
            Ok((chunk, file)) => Some((Ok(Frame::data(Bytes::from(chunk))), Some(file))),
            Err(error) => Some((Err(error), None)),
        }
    });
    StreamBody::new(Box::pin(chunks))
}
