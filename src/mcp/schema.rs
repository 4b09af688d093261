//! What the contract says of a question, for a tool.

use serde_json::{Map, Value, json};

use crate::OPENAPI;

/// The contract as a tree.
pub(super) struct Contract(Value);

impl Contract {
    /// Reads `openapi.yaml`. A test holds that it can be read.
    pub(super) fn read() -> Self {
        Self(serde_saphyr::from_str(OPENAPI).unwrap_or_default())
    }

    /// The title and the description of a question.
    pub(super) fn texts(&self, path: &str) -> (Value, String) {
        let operation = &self.0["paths"][path]["post"];
        let text = |name: &str| operation[name].as_str().unwrap_or_default().trim().to_owned();
        (operation["summary"].clone(), format!("{}. {}", text("summary"), text("description")))
    }

    /// The schema of a question's body, with every reference replaced by what it refers to.
    pub(super) fn input(&self, path: &str) -> Value {
        let body = &self.0["paths"][path]["post"]["requestBody"]["content"]["application/json"]["schema"];
        let mut schema = self.resolved(body);
        // A tool takes an object, also where a question has several shapes.
        if let Value::Object(fields) = &mut schema {
            fields.entry("type").or_insert(json!("object"));
        }
        schema
    }

    fn resolved(&self, schema: &Value) -> Value {
        match schema {
            Value::Object(fields) => match fields.get("$ref").and_then(Value::as_str) {
                Some(reference) => {
                    let name = reference.trim_start_matches("#/components/schemas/");
                    self.resolved(&self.0["components"]["schemas"][name])
                }
                // What only OpenAPI knows, and examples, help no assistant.
                None => fields
                    .iter()
                    .filter(|(name, _)| !["discriminator", "example", "format"].contains(&&***name))
                    .map(|(name, value)| (name.clone(), self.resolved(value)))
                    .collect::<Map<_, _>>()
                    .into(),
            },
            Value::Array(items) => items.iter().map(|item| self.resolved(item)).collect(),
            other => other.clone(),
        }
    }
}
