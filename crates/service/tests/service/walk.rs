//! A walk over all operations, generated from the contract's table.

use lead_workspace_api::endpoints::{self, Endpoint, Input};
use lead_workspace_api::{
    Decode, ParamKind, ParamSpec, Request, for_each_endpoint, for_each_extension,
    for_each_own_operation,
};
use serde_json::{Value, json};

use crate::common::{Answer, Service};

pub struct Operation {
    pub name: &'static str,
    pub method: &'static str,
    pub path: &'static str,
    pub input: Input,
    pub status: u16,
    pub params: Vec<ParamSpec>,
    pub decodes: fn(&str) -> bool,
}

fn operation<E: Endpoint>() -> Operation {
    Operation {
        name: E::NAME,
        method: E::METHOD.as_str(),
        path: E::PATH,
        input: E::INPUT,
        status: E::STATUS,
        params: E::Params::params(),
        decodes: |text| E::Response::decode(text.as_bytes()).is_ok(),
    }
}

pub fn operations() -> Vec<Operation> {
    let mut all = Vec::new();
    macro_rules! add {
        ($(
            #[doc = $summary:literal]
            $name:ident $js:ident $type:ident: $method:ident $path:literal [$($id:ident: $id_type:ty)?];
                $input:ident $params:ty => $status:literal $response:ty; $retry:ident;
        )*) => {
            $(all.push(operation::<endpoints::$type>());)*
        };
    }
    for_each_endpoint!(add);
    for_each_extension!(add);
    for_each_own_operation!(add);
    assert_eq!(all.len(), 16);
    all
}

/// Ids of an existing lead, account and job.
pub struct Ids {
    pub lead: String,
    pub account: String,
    pub job: String,
}

impl Ids {
    pub async fn of(service: &Service) -> Self {
        let started = service
            .call("POST", "/api/leads/score", json!({"lead_ids": []}))
            .await;
        Self {
            lead: service
                .value("SELECT lead_id FROM leads WHERE account IS NOT NULL")
                .await,
            account: service
                .value("SELECT account_id FROM accounts WHERE is_promoted = 1")
                .await,
            job: started.json()["job_id"].as_str().unwrap().to_owned(),
        }
    }

    pub fn fill(&self, path: &str) -> String {
        path.replace("{lead_id}", &self.lead)
            .replace("{account_id}", &self.account)
            .replace("{job_id}", &self.job)
    }

    /// Returns a valid value for a required parameter.
    fn required(&self, param: &ParamSpec) -> Value {
        match param.name {
            "approval_status" => json!("approved"),
            "lead_ids" => json!([self.lead]),
            "field" => json!("company"),
            name => panic!("no value is defined for the required {name}"),
        }
    }

    pub fn params(&self, operation: &Operation) -> Value {
        let required = operation.params.iter().filter(|param| param.required);
        required
            .map(|param| (param.name.to_owned(), self.required(param)))
            .collect()
    }
}

pub async fn call(service: &Service, operation: &Operation, path: &str, params: &Value) -> Answer {
    match operation.input {
        Input::Body => service.call(operation.method, path, params.clone()).await,
        Input::Nothing => service.call(operation.method, path, Value::Null).await,
        Input::Query => {
            let path = format!("{path}?{}", query_string(params));
            service.call(operation.method, &path, Value::Null).await
        }
    }
}

pub fn query_string(params: &Value) -> String {
    let mut query = form_urlencoded::Serializer::new(String::new());
    for (name, value) in params.as_object().unwrap() {
        let text = value
            .as_str()
            .map_or_else(|| value.to_string(), str::to_owned);
        query.append_pair(name, &text);
    }
    query.finish()
}

#[tokio::test]
async fn every_operation_succeeds_with_required_parameters() {
    let service = Service::demo(60).await;
    let ids = Ids::of(&service).await;
    let mut walk = operations();
    // DELETE comes last, because it removes the lead.
    walk.sort_by_key(|operation| operation.method == "DELETE");
    for operation in walk {
        let params = ids.params(&operation);
        let answer = call(&service, &operation, &ids.fill(operation.path), &params).await;
        assert_eq!(
            answer.status, operation.status,
            "{}: {}",
            operation.name, answer.text
        );
        assert!(
            (operation.decodes)(&answer.text),
            "{}: {}",
            operation.name,
            answer.text
        );
        assert!(
            answer.headers.contains_key("x-request-id"),
            "{}",
            operation.name
        );
        assert_eq!(
            answer.headers["cache-control"], "no-store",
            "{}",
            operation.name
        );
        assert_eq!(
            answer.text.is_empty(),
            operation.status == 204,
            "{}",
            operation.name
        );
    }
}

#[tokio::test]
async fn every_invalid_parameter_is_named() {
    let service = Service::demo(5).await;
    let ids = Ids::of(&service).await;
    let mut tried = 0;
    for operation in operations() {
        let root = match operation.input {
            Input::Body => "body",
            Input::Query => "query",
            Input::Nothing => continue,
        };
        let path = ids.fill(operation.path);
        for param in &operation.params {
            for wrong in breaks(param, operation.input) {
                let mut params = ids.params(&operation);
                params[param.name] = wrong.clone();
                let answer = call(&service, &operation, &path, &params).await;
                let case = format!("{} {} = {wrong}", operation.name, param.name);
                assert_eq!(answer.status, 422, "{case}: {}", answer.text);
                let loc = &answer.locations()[0];
                assert_eq!(loc[..2], [root, param.name], "{case}");
                let entry = &answer.json()["detail"][0];
                for (field, is_right) in [
                    ("msg", entry["msg"].is_string()),
                    ("type", entry["type"].is_string()),
                    ("ctx", entry["ctx"].is_object()),
                ] {
                    assert!(is_right, "{case}: {field} in {entry}");
                }
                tried += 1;
            }
            if param.required {
                let mut params = ids.params(&operation);
                params.as_object_mut().unwrap().remove(param.name);
                let answer = call(&service, &operation, &path, &params).await;
                assert_eq!(
                    answer.locations(),
                    [[root, param.name]],
                    "{}",
                    operation.name
                );
                assert_eq!(answer.json()["detail"][0]["type"], "missing");
            }
        }
    }
    assert!(tried > 60, "{tried}");
}

/// Returns invalid values for a parameter.
pub fn breaks(param: &ParamSpec, input: Input) -> Vec<Value> {
    let mut wrong = Vec::new();
    if let Some(range) = &param.range {
        let over = *range.end() as usize + 1;
        match param.kind() {
            ParamKind::Number => {}
            ParamKind::Text => wrong.push(json!("x".repeat(over))),
            ParamKind::Array => wrong.push(json!(vec!["x"; over])),
        }
        if let Some(words) = param.words {
            wrong.push(json!("x ".repeat(words as usize + 1)));
        }
    }
    if let Some(range) = param
        .range
        .as_ref()
        .filter(|_| param.kind() == ParamKind::Number)
    {
        wrong.extend([
            json!(i64::from(*range.start()) - 1),
            json!(1.5),
            json!("many"),
        ]);
        if *range.end() < u32::MAX {
            wrong.push(json!(u64::from(*range.end()) + 1));
        }
    }
    if !param.one_of.is_empty() {
        wrong.push(json!("none of them"));
    }
    if param.ty.contains("boolean") {
        wrong.push(json!("perhaps"));
    }
    if input == Input::Body {
        let is_object = param.ty.contains("object");
        wrong.push(if is_object {
            json!(7)
        } else {
            json!({"an": "object"})
        });
        if param.ty.starts_with("array") {
            wrong.extend([json!("a text"), json!([{"neither": "id nor filter"}])]);
        }
        if !param.ty.contains("null") {
            wrong.push(Value::Null);
        }
    }
    wrong
}
