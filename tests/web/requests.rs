//! Parameter validation by Rust's `check_wire` and by `src/js/requests.js`, on valid and corrupted input: both must
//! report the same problems with the same texts.

use lead_workspace::api::{Detail, Request, for_each_endpoint};
use serde_json::Value;
use wasm_bindgen::JsValue;
use wasm_bindgen::prelude::wasm_bindgen;
use wasm_bindgen_test::wasm_bindgen_test;

use crate::random::Random;

#[wasm_bindgen(module = "/src/js/requests.js")]
extern "C" {
    // Renamed because the module imports the same function: the linker would find two definitions.
    #[wasm_bindgen(catch, js_name = prepare)]
    fn read_params(operation: &str, name: &str, value: &JsValue) -> Result<JsValue, JsValue>;
}

// The imports of the script above.
#[wasm_bindgen(module = "/src/js/face.js")]
extern "C" {
    #[wasm_bindgen(js_name = refused)]
    fn refusal(reason: &str) -> JsValue;
}

#[wasm_bindgen(module = "/src/js/errors.js")]
extern "C" {
    #[wasm_bindgen(js_name = makeAbort)]
    fn abort() -> JsValue;
}

/// Number of random parameter sets per operation.
const ROUNDS: u32 = 500;

/// Validates parameters on both sides. Returns whether they were accepted.
fn compare<T: Request>(operation: &str, params: &Value) -> bool {
    let value = js_sys::JSON::parse(&params.to_string()).unwrap();
    let Ok(prepared) = read_params(operation, T::NAME, &value) else {
        assert!(!params.is_object(), "{params}");
        return false;
    };
    let javascript = js_sys::Reflect::get(&prepared, &"problems".into()).unwrap();
    // JavaScript treats null like undefined, as no parameters.
    let given = Some(params).filter(|params| !params.is_null());
    let rust = match T::check_wire(given.unwrap_or(&serde_json::json!({}))) {
        Ok(()) => String::new(),
        Err(entries) => Detail::Entries(entries).to_string(),
    };
    assert_eq!(
        javascript.as_string().as_deref(),
        Some(rust.as_str()),
        "{operation}: {params}"
    );
    rust.is_empty()
}

fn agree<T: Request>(operation: &str, schema: &Value) {
    let mut random = Random::new(operation);
    let (mut taken, mut refused) = (0, 0);
    for _ in 0..ROUNDS {
        let good = random.fitting(schema);
        compare::<T>(operation, &good);
        let mut spoiled = good;
        random.spoil(&mut spoiled);
        if compare::<T>(operation, &spoiled) {
            taken += 1;
        } else {
            refused += 1;
        }
    }
    assert!(refused > 0, "no spoiled parameters were refused");
    assert!(taken > 0, "all spoiled parameters were refused");
}

macro_rules! agree_on_all {
    ($(
        #[doc = $summary:literal]
        $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
            $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
    )*) => {$(
        #[wasm_bindgen_test]
        fn $name() {
            // The client builds the bodies of updates itself, and deletes have none.
            let fixed = matches!(stringify!($name), "update_lead" | "update_leads");
            if !fixed && !<$params>::params().is_empty() {
                let schema = <$params as lead_workspace::api::Wire>::schema();
                agree::<$params>(stringify!($name), &schema);
            }
        }
    )*};
}

for_each_endpoint!(agree_on_all);

#[wasm_bindgen_test]
fn a_refusal_and_an_abort_are_told_apart() {
    let name = |error: JsValue| js_sys::Reflect::get(&error, &"name".into()).unwrap();
    assert_eq!(name(refusal("no")), "ArgumentError");
    assert_eq!(name(abort()), "AbortError");
}
