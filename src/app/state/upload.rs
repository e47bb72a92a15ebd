//! Files over `XMLHttpRequest`: `fetch` does not report upload progress, and is not ended by dropping its future.

use js_sys::Promise;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ProgressEvent, XmlHttpRequest, XmlHttpRequestResponseType};

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UploadResponse {
    /// 0 if the connection failed or was interrupted.
    pub status: u16,
    pub text: String,
}

pub struct UploadRequest<'a> {
    pub method: &'a str,
    pub url: &'a str,
    pub headers: &'a [(&'static str, String)],
}

/// Sends a request, and reports the upload progress in percent. Dropping the future aborts the request.
pub async fn send(
    request: UploadRequest<'_>,
    body: Option<&Blob>,
    on_sent: impl Fn(u64) + 'static,
) -> UploadResponse {
    let none = UploadResponse {
        status: 0,
        text: String::new(),
    };
    exchange(request, body, on_sent).await.unwrap_or(none)
}

async fn exchange(
    request: UploadRequest<'_>,
    body: Option<&Blob>,
    on_sent: impl Fn(u64) + 'static,
) -> Result<UploadResponse, JsValue> {
    let xhr = open(&request)?;
    let _guard = UploadGuard(xhr.clone());
    let sent = Closure::<dyn Fn(ProgressEvent)>::new(move |event: ProgressEvent| {
        let share = 100.0 * event.loaded() / event.total().max(1.0);
        on_sent(share as u64);
    });
    xhr.upload()?
        .set_onprogress(Some(sent.as_ref().unchecked_ref()));
    let ended = Promise::new(&mut |resolve, _| xhr.set_onloadend(Some(&resolve)));
    xhr.send_with_opt_blob(body)?;
    JsFuture::from(ended).await?;
    Ok(UploadResponse {
        status: xhr.status()?,
        text: xhr.response_text()?.unwrap_or_default(),
    })
}

/// Sends a request, and returns the status, 0 if the connection failed, and the body of a 200 with the number of rows in it.
/// Dropping the future aborts the request.
pub async fn receive(request: &UploadRequest<'_>, body: &str) -> (u16, Option<(Blob, u64)>) {
    let received = async {
        let xhr = open(request)?;
        let _guard = UploadGuard(xhr.clone());
        xhr.set_request_header("content-type", "application/json")?;
        xhr.set_response_type(XmlHttpRequestResponseType::Blob);
        let ended = Promise::new(&mut |resolve, _| xhr.set_onloadend(Some(&resolve)));
        xhr.send_with_opt_str(Some(body))?;
        JsFuture::from(ended).await?;
        let rows = xhr.get_response_header("x-exported-rows")?;
        let status = xhr.status()?;
        // Null if the connection broke before the end.
        let blob: Option<Blob> = xhr.response()?.dyn_into().ok();
        let rows = rows.and_then(|rows| rows.parse().ok());
        Ok::<_, JsValue>((status, blob.zip(rows).filter(|_| status == 200)))
    };
    received.await.unwrap_or((0, None))
}

fn open(request: &UploadRequest<'_>) -> Result<XmlHttpRequest, JsValue> {
    let xhr = XmlHttpRequest::new()?;
    xhr.open_with_async(request.method, request.url, true)?;
    for (name, value) in request.headers {
        xhr.set_request_header(name, value)?;
    }
    Ok(xhr)
}

/// Aborts the request unless it has ended. Removes the listeners first, because their closures are dropped.
struct UploadGuard(XmlHttpRequest);

impl Drop for UploadGuard {
    fn drop(&mut self) {
        self.0.set_onloadend(None);
        if let Ok(upload) = self.0.upload() {
            upload.set_onprogress(None);
        }
        // Aborting a finished request has no effect.
        let _ = self.0.abort();
    }
}
