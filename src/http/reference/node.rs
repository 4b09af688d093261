//! A YAML document whose maps keep the order in which they are written.

use std::fmt;

use serde::de::{Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use serde_json::Value;

/// One value of a document.
#[derive(Debug, Clone, PartialEq)]
pub(super) enum Node {
    /// A text, a number, a truth value, or nothing.
    Scalar(Value),
    /// A list.
    List(Vec<Self>),
    /// Fields in their order.
    Map(Vec<(String, Self)>),
}

impl Node {
    /// The field of a map.
    pub(super) fn get(&self, name: &str) -> Option<&Self> {
        self.fields().iter().find(|field| field.0 == name).map(|field| &field.1)
    }

    /// The fields of a map; none of anything else.
    pub(super) fn fields(&self) -> &[(String, Self)] {
        if let Self::Map(fields) = self { fields } else { &[] }
    }

    /// The items of a list; none of anything else.
    pub(super) fn items(&self) -> &[Self] {
        if let Self::List(items) = self { items } else { &[] }
    }

    /// The field of a map that is a text.
    pub(super) fn text(&self, name: &str) -> Option<&str> {
        self.get(name)?.as_str()
    }

    /// A text.
    pub(super) fn as_str(&self) -> Option<&str> {
        if let Self::Scalar(Value::String(text)) = self { Some(text) } else { None }
    }

    /// What a pointer such as `#/components/schemas/Dice` leads to.
    pub(super) fn at(&self, pointer: &str) -> Option<&Self> {
        pointer.trim_start_matches("#/").split('/').try_fold(self, |node, name| node.get(name))
    }

    /// JSON on one line.
    pub(super) fn compact(&self) -> String {
        match self {
            Self::Scalar(value) => value.to_string(),
            Self::List(items) => format!("[{}]", join(items.iter().map(Self::compact))),
            Self::Map(fields) => {
                format!("{{{}}}", join(fields.iter().map(|(name, node)| field(name, &node.compact()))))
            }
        }
    }

    /// JSON for people: a value that fits on a line of `width` is on one line.
    pub(super) fn pretty(&self, width: usize) -> String {
        self.indented(0, width)
    }

    fn indented(&self, depth: usize, width: usize) -> String {
        let line = self.compact();
        let step = depth + 2;
        if step + line.chars().count() <= width {
            return line;
        }
        let (open, lines, close) = match self {
            Self::Scalar(_) => return line,
            Self::List(items) => {
                ('[', items.iter().map(|item| item.indented(step, width)).collect::<Vec<_>>(), ']')
            }
            Self::Map(fields) => {
                let shown = fields.iter().map(|(name, node)| field(name, &node.indented(step, width)));
                ('{', shown.collect(), '}')
            }
        };
        let (inner, outer) = (" ".repeat(step), " ".repeat(depth));
        format!("{open}\n{inner}{}\n{outer}{close}", lines.join(&format!(",\n{inner}")))
    }
}

fn join(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

fn field(name: &str, value: &str) -> String {
    format!("{}: {value}", Value::from(name))
}

impl<'de> Deserialize<'de> for Node {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        deserializer.deserialize_any(NodeVisitor)
    }
}

struct NodeVisitor;

impl<'de> Visitor<'de> for NodeVisitor {
    type Value = Node;

    fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("a YAML value")
    }

    fn visit_bool<E>(self, value: bool) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_i64<E>(self, value: i64) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_u64<E>(self, value: u64) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_f64<E>(self, value: f64) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_str<E>(self, value: &str) -> Result<Node, E> {
        Ok(Node::Scalar(value.into()))
    }

    fn visit_unit<E>(self) -> Result<Node, E> {
        Ok(Node::Scalar(Value::Null))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Node, A::Error> {
        let mut list = Vec::new();
        while let Some(item) = items.next_element()? {
            list.push(item);
        }
        Ok(Node::List(list))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut fields: A) -> Result<Node, A::Error> {
        let mut map = Vec::new();
        while let Some(field) = fields.next_entry()? {
            map.push(field);
        }
        Ok(Node::Map(map))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Node {
        serde_saphyr::from_str(text).expect("YAML")
    }

    #[test]
    fn fields_keep_their_order_and_numbers_their_form() {
        let node = read("zebra: [1, 0.0, -2.5]\napple: {b: 'yes', a: true, c: }\n");
        assert_eq!(
            node.compact(),
            r#"{"zebra": [1, 0.0, -2.5], "apple": {"b": "yes", "a": true, "c": null}}"#
        );
        assert_eq!(node.at("#/apple/b").and_then(Node::as_str), Some("yes"));
        assert_eq!(node.at("#/apple/x"), None);
    }

    #[test]
    fn json_breaks_only_where_a_line_is_full() {
        let node = read("a: {first: [1, 2, 3], second: text}\nb: 1\n");
        let expected =
            "{\n  \"a\": {\n    \"first\": [1, 2, 3],\n    \"second\": \"text\"\n  },\n  \"b\": 1\n}";
        assert_eq!(node.pretty(30), expected);
        assert_eq!(node.pretty(100), node.compact());
        let read_again: Value = serde_json::from_str(&node.pretty(10)).expect("JSON");
        assert_eq!(read_again["a"]["second"], "text");
    }
}
