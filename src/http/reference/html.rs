//! Texts as HTML.

use std::fmt;

use pulldown_cmark::{Parser, html::push_html};

/// A text that stands for itself in HTML, between tags and inside quoted attributes.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for part in self.0.split_inclusive(['&', '<', '>', '"']) {
            let mut plain = part.chars();
            let escape = match plain.next_back() {
                Some('&') => "&amp;",
                Some('<') => "&lt;",
                Some('>') => "&gt;",
                Some('"') => "&quot;",
                _ => {
                    formatter.write_str(part)?;
                    continue;
                }
            };
            formatter.write_str(plain.as_str())?;
            formatter.write_str(escape)?;
        }
        Ok(())
    }
}

/// `CommonMark` as HTML.
pub(super) fn markdown(text: &str) -> String {
    let mut html = String::new();
    push_html(&mut html, Parser::new(text));
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_means_something_in_html_is_escaped() {
        assert_eq!(Escaped("a < b && \"c\" > d").to_string(), "a &lt; b &amp;&amp; &quot;c&quot; &gt; d");
        assert_eq!(Escaped("点数 1").to_string(), "点数 1");
    }

    #[test]
    fn descriptions_are_common_mark() {
        assert_eq!(markdown("**All** of `a|b`."), "<p><strong>All</strong> of <code>a|b</code>.</p>\n");
    }
}
