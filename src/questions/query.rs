//! Queries as JSON: `?dice=1,3,3&rolls_left=2` becomes the object that a POST would have sent, so that one decoder
//! serves both.

use std::borrow::Cow;

use super::json::Json;
use super::language::Language;

/// The fields of a link's query in their order, without `lang`, which is read elsewhere, and what others add to links.
pub(crate) fn fields(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "lang" && !is_tracking(name))
}

/// Whether a parameter is one that mail programs and social networks add to links.
pub(crate) fn is_tracking(name: &str) -> bool {
    name.starts_with("utm_") || ["fbclid", "gclid"].contains(&name)
}

/// A number where the text is one in JSON, else a string, at which the decoder will complain.
pub(crate) fn number(text: Cow<'_, str>) -> Json<'_> {
    match serde_json::from_str::<serde_json::Number>(&text) {
        Ok(number) => number.as_i64().map_or(Json::Number(text), Json::Integer),
        Err(_) => Json::String(text),
    }
}

/// A boolean where the text is `true` or `false`, else a string.
pub(crate) fn boolean(text: Cow<'_, str>) -> Json<'_> {
    text.parse().map_or(Json::String(text), Json::Bool)
}

/// An object where the text is one in JSON, else a string.
pub(crate) fn word_or_object(text: Cow<'_, str>) -> Json<'_> {
    match Json::parse(text.as_bytes(), Language::English) {
        Ok(object @ Json::Object(_)) => object.into_owned(),
        _ => Json::String(text),
    }
}

/// A query as an object; the fields of these names are numbers, all others strings.
pub(crate) fn object<'a>(query: &'a str, numbers: &[&str]) -> Json<'a> {
    let fields = fields(query).map(|(name, text)| {
        let value = if numbers.contains(&&*name) { number(text) } else { Json::String(text) };
        (name, value)
    });
    Json::Object(fields.collect())
}

/// A list of numbers written with commas; an empty text is the empty list.
pub(crate) fn numbers(text: &str) -> Json<'static> {
    list(text, |item| number(Cow::Owned(item)))
}

/// A list of words written with commas; an empty text is the empty list.
pub(crate) fn words(text: &str) -> Json<'static> {
    list(text, |item| Json::String(Cow::Owned(item)))
}

fn list(text: &str, item: impl Fn(String) -> Json<'static>) -> Json<'static> {
    let items = text.split(',').filter(|_| !text.is_empty());
    Json::Array(items.map(|text| item(text.trim().to_owned())).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numeric_texts_become_numbers() {
        let expected = vec![Json::Integer(1), Json::Integer(3), Json::String("x".into())];
        assert_eq!(numbers("1, 3,x"), Json::Array(expected));
        assert_eq!(numbers(""), Json::Array(Vec::new()));
        for text in ["inf", "+2", "2.", ""] {
            assert_eq!(number(text.into()), Json::String(text.into()));
        }
        assert_eq!(
            words("S3,,S3"),
            Json::Array(["S3", "", "S3"].map(|word| Json::String(word.into())).to_vec())
        );
    }

    #[test]
    fn language_and_tracking_parameters_are_no_fields() {
        assert_eq!(
            fields("a=1&lang=zh&utm_source=x&utm_=&fbclid=1&gclid=2&b=%2C").collect::<Vec<_>>(),
            [("a".into(), "1".into()), ("b".into(), ",".into())]
        );
    }
}
