//! Queries as JSON: `?dice=1,3,3&rolls_left=2` becomes the object that a POST would have sent, so that one decoder
//! serves both.

use std::borrow::Cow;

use super::json::Json;

/// The fields of a query in their order, without `lang`, which is read elsewhere.
pub(crate) fn fields(query: &str) -> impl Iterator<Item = (Cow<'_, str>, Cow<'_, str>)> {
    form_urlencoded::parse(query.as_bytes()).filter(|(name, _)| name != "lang")
}

/// A number where the text is one, else a string, at which the decoder will complain.
pub(crate) fn number(text: Cow<'_, str>) -> Json<'_> {
    // "inf" and "nan" are numbers for Rust, not for JSON.
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Json::Number(number),
        _ => Json::String(text),
    }
}

/// A list written with commas.
pub(crate) fn numbers(text: &str) -> Json<'static> {
    let items = text.split(',').filter(|item| !item.is_empty());
    Json::Array(items.map(|item| number(Cow::Owned(item.trim().to_owned()))).collect())
}

/// A list of words written with commas.
pub(crate) fn words(text: &str) -> Json<'static> {
    let items = text.split(',').map(str::trim).filter(|item| !item.is_empty());
    Json::Array(items.map(|item| Json::String(Cow::Owned(item.to_owned()))).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_become_numbers_where_they_are_some() {
        assert_eq!(
            numbers("1, 3,x"),
            Json::Array(vec![Json::Number(1.0), Json::Number(3.0), Json::String("x".into())])
        );
        assert_eq!(numbers(""), Json::Array(Vec::new()));
        assert_eq!(number("inf".into()), Json::String("inf".into()));
    }

    #[test]
    fn the_language_is_no_field() {
        assert_eq!(
            fields("a=1&lang=zh&b=%2C").collect::<Vec<_>>(),
            [("a".into(), "1".into()), ("b".into(), ",".into())]
        );
    }
}
