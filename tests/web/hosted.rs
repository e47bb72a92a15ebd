//! Components embedded in a host page: mounted into a shadow root, with a transport that the test controls.

use std::ops::Deref;
use std::rc::Rc;
use std::sync::Arc;

use lead_workspace::client::{HttpRequest, Transport};
use lead_workspace::embed::{AccountPulse, HostOptions, LeadReview, mount, mount_pulse};
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, ShadowRoot, ShadowRootInit, ShadowRootMode, window};

use crate::stage::{Stage, Turn, Wire};

/// A component that a host page can embed.
pub trait Mounted: 'static {
    fn mount(root: &ShadowRoot, host: HostOptions, transport: Arc<dyn Transport>) -> Self;

    fn unmount(&self);
}

impl Mounted for LeadReview {
    fn mount(root: &ShadowRoot, host: HostOptions, transport: Arc<dyn Transport>) -> Self {
        mount(root, host, transport)
    }

    fn unmount(&self) {
        self.unmount();
    }
}

impl Mounted for AccountPulse {
    fn mount(root: &ShadowRoot, host: HostOptions, transport: Arc<dyn Transport>) -> Self {
        mount_pulse(root, host, transport)
    }

    fn unmount(&self) {
        self.unmount();
    }
}

/// The mounted component and its host element.
pub struct Hosted<M: Mounted> {
    pub stage: Stage,
    pub around: HtmlElement,
    pub shown: Rc<M>,
}

impl<M: Mounted> Hosted<M> {
    pub fn open_as(
        host: HostOptions,
        script: impl Fn(&HttpRequest) -> Turn + Send + Sync + 'static,
    ) -> Self {
        let document = window().unwrap().document().unwrap();
        let around: HtmlElement = document.create_element("div").unwrap().unchecked_into();
        document.body().unwrap().append_child(&around).unwrap();
        let root = around
            .attach_shadow(&ShadowRootInit::new(ShadowRootMode::Open))
            .unwrap();
        let wire = Wire::new(script);
        let shown = Rc::new(M::mount(&root, host, Arc::clone(&wire) as _));
        let place = root.query_selector(".embedded").unwrap().unwrap();
        let stage = Stage::over(wire, place.unchecked_into(), Rc::clone(&shown));
        Self {
            stage,
            around,
            shown,
        }
    }

    pub fn root(&self) -> ShadowRoot {
        self.around.shadow_root().unwrap()
    }
}

impl<M: Mounted> Deref for Hosted<M> {
    type Target = Stage;

    fn deref(&self) -> &Stage {
        &self.stage
    }
}

impl<M: Mounted> Drop for Hosted<M> {
    fn drop(&mut self) {
        self.shown.unmount();
        self.around.remove();
    }
}
