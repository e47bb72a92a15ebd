//! The handwritten declarations for builds with wasm-pack: every operation must be declared.

use lead_workspace::api::Endpoint;

#[test]
fn every_operation_is_declared() {
    let types = include_str!("../../src/js/raw.d.ts");
    macro_rules! declared {
        ($(
            #[doc = $_doc:literal]
            $_name:ident $_js:ident $type:ident: $_method:ident $_path:literal [$($_id:tt)*];
                $_input:ident $_params:ty => $_status:literal $_response:ty; $_retry:ident;
        )*) => {$({
            let method = format!("  {}(", lead_workspace::api::endpoints::$type::JS_NAME);
            assert!(types.contains(&method), "{method}");
        })*};
    }
    lead_workspace_api::for_each_endpoint!(declared);
    lead_workspace_api::for_each_extension!(declared);
}
