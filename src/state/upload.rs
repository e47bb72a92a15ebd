//! Files on their way to the service. `fetch` does not tell how far a body is; this does.

use js_sys::Promise;
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsValue};
use wasm_bindgen_futures::JsFuture;
use web_sys::{Blob, ProgressEvent, XmlHttpRequest};

/// What came back.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// The status; 0 when the connection broke off or could not be made.
    pub status: u16,
    /// The body.
    pub text: String,
}

/// A request: method, address and headers.
pub struct Request<'a> {
    /// The method.
    pub method: &'a str,
    /// The address.
    pub url: &'a str,
    /// The headers.
    pub headers: &'a [(&'static str, String)],
}

/// Sends a file, and hears the share in percent that has left. Dropping the future ends it.
pub async fn send(
    request: Request<'_>,
    body: Option<&Blob>,
    on_sent: impl Fn(u64) + 'static,
) -> Reply {
    let none = Reply {
        status: 0,
        text: String::new(),
    };
    exchange(request, body, on_sent).await.unwrap_or(none)
}

async fn exchange(
    request: Request<'_>,
    body: Option<&Blob>,
    on_sent: impl Fn(u64) + 'static,
) -> Result<Reply, JsValue> {
    let xhr = XmlHttpRequest::new()?;
    let _guard = Guard(xhr.clone());
    xhr.open_with_async(request.method, request.url, true)?;
    for (name, value) in request.headers {
        xhr.set_request_header(name, value)?;
    }
    let sent = Closure::<dyn Fn(ProgressEvent)>::new(move |event: ProgressEvent| {
        let share = 100.0 * event.loaded() / event.total().max(1.0);
        on_sent(share as u64);
    });
    xhr.upload()?
        .set_onprogress(Some(sent.as_ref().unchecked_ref()));
    let ended = Promise::new(&mut |resolve, _| xhr.set_onloadend(Some(&resolve)));
    xhr.send_with_opt_blob(body)?;
    JsFuture::from(ended).await?;
    Ok(Reply {
        status: xhr.status()?,
        text: xhr.response_text()?.unwrap_or_default(),
    })
}

/// Ends the request, if it has not ended by itself. No listener is called after that: they are gone.
struct Guard(XmlHttpRequest);

impl Drop for Guard {
    fn drop(&mut self) {
        self.0.set_onloadend(None);
        if let Ok(upload) = self.0.upload() {
            upload.set_onprogress(None);
        }
        // What has ended is not ended again.
        let _ = self.0.abort();
    }
}
