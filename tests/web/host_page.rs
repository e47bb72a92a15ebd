//! Runs scripts as a page that uses the package would: with its custom elements and mount functions.

use js_sys::{Array, Function, Object, Promise, Reflect, global};
use lead_workspace::embed::{mount_account_pulse, mount_lead_review};
use wasm_bindgen::closure::Closure;
use wasm_bindgen::{JsCast, JsError, JsValue};
use wasm_bindgen_futures::JsFuture;

use crate::fetch::Mock;

/// A server with one lead that saves every decision. `seen.sent` lists the requests.
const SERVER: &str = "
    const sent = (seen.sent ??= []);
    const answer = (value) => new Response(JSON.stringify(value), {headers: {'content-type': 'application/json'}});
    sent.push([request.method, request.url, request.headers.get('authorization'), request.headers.get('x-tenant-id')].join(' '));
    if (seen.refuses && request.headers.get('authorization')?.endsWith(seen.refuses)) return new Response('{}', {status: 401});
    if (seen.fails && request.url.endsWith(seen.fails)) return new Response('{}', {status: 503});
    if (request.method === 'PATCH') return answer({lead_id: 'l1', ...(await request.json())});
    if (request.url.endsWith('/pulse')) return answer({total_leads: 3, leads_with_conversations: 2, best_signal: {lead_id: 'l 1', lead_name: 'Ada'}});
    if (request.url.includes('accounts')) return answer({data: [], total: 0});
    return answer({data: [{lead_id: 'l1', name: 'Ada', approval_status: 'pending_approval'}], total: 1});
";

/// Defines the custom elements with this module's functions, once for all tests.
///
/// Their script is imported here, not by wasm-bindgen: the fewer scripts the test page imports at once, the better
/// (see "Tests in the browser" in ARCHITECTURE.md).
async fn define() -> Object {
    let known = Reflect::get(&global(), &"leadReviewTest".into()).unwrap();
    if let Ok(known) = known.dyn_into::<Object>() {
        return known;
    }
    let mount = Closure::<dyn Fn(JsValue, JsValue) -> Result<JsValue, JsError>>::new(
        |root: JsValue, options: JsValue| {
            mount_lead_review(root.unchecked_ref(), options.unchecked_ref()).map(JsValue::from)
        },
    );
    let mount_pulse = Closure::<dyn Fn(JsValue, JsValue) -> Result<JsValue, JsError>>::new(
        |root: JsValue, options: JsValue| {
            mount_account_pulse(root.unchecked_ref(), options.unchecked_ref()).map(JsValue::from)
        },
    );
    let parts = Function::new_with_args(
        "mount, mount_pulse",
        "return {
            load: async () => ({ mount_lead_review: mount, mount_account_pulse: mount_pulse }),
            style: 'data:text/css,',
            optionsOf: (workspace) => workspace.options,
        }",
    );
    let (mount, mount_pulse) = (mount.into_js_value(), mount_pulse.into_js_value());
    let parts = parts.call2(&JsValue::NULL, &mount, &mount_pulse).unwrap();
    let define = Function::new_with_args(
        "parts",
        "return (async () => {
            const { makeElements } = await import('/www/npm/elements.js');
            const made = makeElements(parts);
            made.makeElements = () => makeElements(parts);
            customElements.define('lead-review', made.LeadReviewElement);
            customElements.define('account-pulse', made.AccountPulseElement);
            return globalThis.leadReviewTest = made;
        })()",
    );
    let made = define.call1(&JsValue::NULL, &parts).unwrap();
    let made = JsFuture::from(made.unchecked_into::<Promise>()).await;
    made.unwrap().unchecked_into()
}

/// Runs a page's script. In it, `until` waits for a condition.
pub async fn page(script: &str) -> Vec<String> {
    let mock = Mock::new(SERVER);
    let run = format!(
        "return (async () => {{
            const results = [];
            const until = async (is) => {{
                for (let turn = 0; turn < 600; turn += 1) {{
                    const found = is();
                    if (found) return found;
                    await new Promise((go) => setTimeout(go, 10));
                }}
                throw new Error(`never: ${{is}}; ${{document.body.innerHTML}}`);
            }};
            // A row has its buttons while the pointer is on it.
            const decide = async (inside, verb) => {{
                const row = await until(() => inside('[data-lead-id=l1]'));
                row.dispatchEvent(new PointerEvent('pointermove', {{ bubbles: true, composed: true, pointerType: 'mouse' }}));
                (await until(() => inside(`[aria-label=\"${{verb}} Ada\"]`))).click();
            }};
            const place = document.createElement('div');
            document.body.append(place);
            try {{ {script} }} finally {{ place.remove(); }}
            return results.map(String);
        }})()"
    );
    let run = Function::new_with_args(
        "seen, { mountLeadReview, mountAccountPulse, makeElements }",
        &run,
    );
    let running = run
        .call2(&JsValue::NULL, &mock.seen_all(), &define().await.into())
        .unwrap();
    let results = JsFuture::from(running.unchecked_into::<Promise>()).await;
    let results = results.unwrap_or_else(|error| panic!("{error:?}"));
    let results: Array = results.unchecked_into();
    results
        .iter()
        .map(|text| text.as_string().unwrap())
        .collect()
}
