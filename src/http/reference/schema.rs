//! Schemas as people read them: what a value may be, in words, and the fields of an object as a table.

use super::html::{Escaped, markdown};
use super::node::Node;

/// A table of an object's fields; of anything else what it may be, in words.
pub(super) fn shown(schema: &Node, root: &Node) -> String {
    let schema = resolved(schema, root);
    let Some(properties) = schema.get("properties") else {
        return format!("<p class=\"type\">{}</p>", kind(schema));
    };
    let required: Vec<_> =
        schema.get("required").map_or(&[][..], Node::items).iter().filter_map(Node::as_str).collect();
    let mut rows = String::new();
    for (name, property) in properties.fields() {
        let mark = if required.contains(&&**name) { "<span class=\"required\">required</span>" } else { "" };
        rows += &row(name, mark, property, root);
    }
    if let Some(rest) = schema.get("additionalProperties").filter(|rest| matches!(rest, Node::Map(_))) {
        rows += &row("any other name", "", rest, root);
    }
    table(["Field", "Type", "Meaning"], &rows)
}

/// A table with these heads, which scrolls if it is too wide.
pub(super) fn table(heads: [&str; 3], rows: &str) -> String {
    let label = heads[0];
    let heads = heads.map(|head| format!("<th scope=\"col\">{head}</th>")).concat();
    format!(
        "<div class=\"scroll\" tabindex=\"0\" role=\"region\" aria-label=\"{label}\"><table>\
         <thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table></div>"
    )
}

/// A row: a name, what its value may be, what it means.
pub(super) fn row(name: &str, mark: &str, property: &Node, root: &Node) -> String {
    let described = property.text("description").or_else(|| resolved(property, root).text("description"));
    let schema = property.get("schema").unwrap_or(property);
    let inner =
        match (schema.get("properties"), schema.get("items").and_then(|items| items.get("properties"))) {
            (Some(_), _) => shown(schema, root),
            (None, Some(_)) => schema.get("items").map_or_else(String::new, |items| shown(items, root)),
            (None, None) => String::new(),
        };
    format!(
        "<tr><th scope=\"row\"><code>{}</code>{mark}</th><td>{}</td><td>{}{inner}</td></tr>",
        Escaped(name),
        kind(schema),
        described.map_or_else(String::new, markdown),
    )
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
