//! An id cannot change the path.

use lead_workspace_api::endpoints::{self, GetAccountPulse, GetLead, UpdateLead};
use lead_workspace_api::{
    CHANGES_PATH, Endpoint, Method, for_each_endpoint, for_each_extension, for_each_own_operation,
    path,
};
use proptest::prelude::*;

#[test]
fn dangerous_ids_are_rejected() {
    for id in ["", ".", ".."] {
        assert!(GetLead::path(&[id]).is_err(), "{id:?}");
        assert!(GetAccountPulse::path(&[id]).is_err(), "{id:?}");
    }
    for next in get_paths_next_to_leads() {
        let error = GetLead::path(&[next]).unwrap_err().to_string();
        assert!(error.contains("another path"), "{error}");
    }
    assert_eq!(
        GetAccountPulse::path(&["facets"]).unwrap(),
        "/api/accounts/facets/pulse"
    );
    assert_eq!(GetLead::path(&["Facets"]).unwrap(), "/api/leads/Facets");
}

/// Returns the names below `/api/leads/` that `GET` finds.
fn get_paths_next_to_leads() -> Vec<&'static str> {
    let mut paths = vec![CHANGES_PATH];
    macro_rules! add {
        ($(
            #[doc = $summary:literal]
            $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
                $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
        )*) => {
            $(if endpoints::$type::METHOD == Method::Get {
                paths.push($path);
            })*
        };
    }
    for_each_endpoint!(add);
    for_each_extension!(add);
    for_each_own_operation!(add);
    let names = paths
        .iter()
        .filter_map(|path| path.strip_prefix("/api/leads/"));
    let names = names.filter(|name| !name.contains(['/', '{']));
    let names: Vec<_> = names.collect();
    assert!(names.len() > 2, "{names:?}");
    names
}

#[test]
fn other_ids_are_encoded() {
    assert_eq!(
        UpdateLead::path(&["a/../b?x=1#y"]).unwrap(),
        "/api/leads/a%2F..%2Fb%3Fx%3D1%23y"
    );
    assert_eq!(
        UpdateLead::path(&["ü%2e"]).unwrap(),
        "/api/leads/%C3%BC%252e"
    );
}

proptest! {
    #[test]
    fn an_id_stays_one_segment(id in ".{1,40}") {
        if let Ok(segment) = path::segment("id", &id, &[]) {
            prop_assert!(segment.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.~%".contains(&byte)));
            prop_assert!(segment != "." && segment != "..");
            let mut decoded = Vec::new();
            let mut bytes = segment.bytes();
            while let Some(byte) = bytes.next() {
                if byte == b'%' {
                    let hex: String = bytes.by_ref().take(2).map(char::from).collect();
                    decoded.push(u8::from_str_radix(&hex, 16).unwrap());
                } else {
                    decoded.push(byte);
                }
            }
            prop_assert_eq!(String::from_utf8(decoded).unwrap(), id);
        } else {
            prop_assert!(id == "." || id == "..");
        }
    }
}
