//! Schemas as people read them: what a value may be, in words, and the fields of an object as a table.

use serde::Serialize;

use super::html::{Escaped, markdown};
use super::node::Node;

/// A schema as the template shows it: the fields of an object, or in words what a value may be.
#[derive(Serialize)]
pub(super) struct Shown<'a> {
    kind: String,
    fields: Option<Vec<Field<'a>>>,
}

impl<'a> Shown<'a> {
    pub(super) fn new(schema: &'a Node, root: &'a Node) -> Self {
        let schema = resolved(schema, root);
        Self { kind: kind(schema), fields: Field::all(schema, root) }
    }
}

/// A field of an object, or a parameter.
#[derive(Serialize)]
pub(super) struct Field<'a> {
    name: &'a str,
    /// A word beside its name.
    mark: &'a str,
    kind: String,
    meaning: String,
    /// The fields of the object that its value is.
    fields: Option<Vec<Self>>,
}

impl<'a> Field<'a> {
    /// The fields of an object's schema; `None` if the schema lists none.
    fn all(schema: &'a Node, root: &'a Node) -> Option<Vec<Self>> {
        let properties = schema.get("properties")?;
        let required = schema.get("required").map_or(&[][..], Node::items);
        let is_required = |name: &str| required.iter().any(|required| required.as_str() == Some(name));
        let named = properties.fields().iter().map(|(name, property)| {
            Self::new(name, if is_required(name) { "required" } else { "" }, property, root)
        });
        let rest = schema.get("additionalProperties").filter(|rest| matches!(rest, Node::Map(_)));
        Some(named.chain(rest.map(|rest| Self::new("any other name", "", rest, root))).collect())
    }

    pub(super) fn of_parameter(parameter: &'a Node, root: &'a Node) -> Self {
        let is_required = parameter.get("required").is_some_and(|required| required.compact() == "true");
        let mark = if is_required { "required" } else { parameter.text("in").unwrap_or_default() };
        Self::new(parameter.text("name").unwrap_or_default(), mark, parameter, root)
    }

    fn new(name: &'a str, mark: &'a str, property: &'a Node, root: &'a Node) -> Self {
        let meaning = property.text("description").or_else(|| resolved(property, root).text("description"));
        let schema = property.get("schema").unwrap_or(property);
        let fields = Self::all(schema, root).or_else(|| Self::all(schema.get("items")?, root));
        let meaning = meaning.map_or_else(String::new, markdown);
        Self { name, mark, kind: kind(schema), meaning, fields }
    }
}

/// What a schema's `$ref` leads to, or the schema itself.
pub(super) fn resolved<'a>(node: &'a Node, root: &'a Node) -> &'a Node {
    node.text("$ref").and_then(|pointer| root.at(pointer)).unwrap_or(node)
}

/// What a value may be, in words.
pub(super) fn kind(schema: &Node) -> String {
    if let Some(pointer) = schema.text("$ref") {
        let name = Escaped(pointer.rsplit('/').next().unwrap_or_default()).to_string();
        return format!("<a href=\"#schema-{name}\">{name}</a>");
    }
    if let Some(choices) = schema.get("oneOf").or_else(|| schema.get("anyOf")) {
        return choices.items().iter().map(kind).collect::<Vec<_>>().join(" or ");
    }
    if let Some(values) = schema.get("enum") {
        let values: Vec<_> = values.items().iter().map(code).collect();
        return values.join(" <span class=\"or\">|</span> ");
    }
    let mut words = match schema.text("type") {
        Some("array") => format!("array of {}", schema.get("items").map_or("anything".to_owned(), kind)),
        Some("object") => match schema.get("additionalProperties") {
            Some(rest @ Node::Map(_)) => format!("object of {}", kind(rest)),
            _ => "object".to_owned(),
        },
        Some(name) => name.to_owned(),
        None => "anything".to_owned(),
    };
    for (least, most, unit) in [
        ("minimum", "maximum", ""),
        ("minItems", "maxItems", " item"),
        ("minLength", "maxLength", " character"),
    ] {
        let (least, most) = (schema.get(least).map(Node::compact), schema.get(most).map(Node::compact));
        let is_plural =
            !unit.is_empty() && most.as_ref().or(least.as_ref()).is_some_and(|number| number != "1");
        let unit = format!("{unit}{}", if is_plural { "s" } else { "" });
        words += &match (least, most) {
            (Some(least), Some(most)) if least == most => format!(", {least}{unit}"),
            (Some(least), Some(most)) => format!(", {least} to {most}{unit}"),
            (Some(least), None) => format!(", at least {least}{unit}"),
            (None, Some(most)) => format!(", at most {most}{unit}"),
            (None, None) => String::new(),
        };
    }
    if let Some(step) = schema.get("multipleOf") {
        words += &format!(", a multiple of {}", step.compact());
    }
    // The format of a number says how a program stores it; its bounds say what it may be.
    if let Some(format) = schema.text("format").filter(|_| schema.text("type") == Some("string")) {
        words += &format!(", {}", Escaped(format));
    }
    if let Some(pattern) = schema.text("pattern") {
        words += &format!(", like <code>{}</code>", Escaped(pattern));
    }
    words
}

/// A value as code; a text without its quotation marks.
fn code(value: &Node) -> String {
    let text = value.as_str().map_or_else(|| value.compact(), str::to_owned);
    format!("<code>{}</code>", Escaped(&text))
}
