//! The description of the API.

use serde_json::Value;

use crate::common::Service;

#[tokio::test]
async fn the_api_description_lists_every_operation() {
    let service = Service::empty().await;
    let mut request = service.request("GET", "/openapi.json", "");
    request.headers_mut().remove("authorization");
    let document = service.send(request).await.json();
    let operations: usize = document["paths"]
        .as_object()
        .unwrap()
        .values()
        .map(|path| path.as_object().unwrap().len())
        .sum();
    assert_eq!(operations, 14);
    let schemas = document["components"]["schemas"].as_object().unwrap();
    assert!(schemas.contains_key("LeadListItem") && schemas.contains_key("LeadQuery"));
    let mut missing = Vec::new();
    references(&document, &mut |name| {
        if !schemas.contains_key(name) {
            missing.push(name.to_owned());
        }
    });
    assert!(missing.is_empty(), "{missing:?}");
}

fn references(value: &Value, found: &mut impl FnMut(&str)) {
    match value {
        Value::Array(items) => items.iter().for_each(|item| references(item, found)),
        Value::Object(object) => {
            for (name, value) in object {
                match value.as_str() {
                    Some(path) if name == "$ref" => found(path.rsplit('/').next().unwrap()),
                    _ => references(value, found),
                }
            }
        }
        _ => {}
    }
}
