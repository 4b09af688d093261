//! The page that people open, and its files, which the binary carries.

use std::sync::{Arc, LazyLock, OnceLock};

use axum::extract::{Path, RawQuery, State};
use axum::http::header::{CONTENT_SECURITY_POLICY, LOCATION, REFERRER_POLICY};
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::response::{IntoResponse, Response};

use super::cache::{Document, REVALIDATE};
use crate::questions::{Kind, Problem};
use crate::state::AppState;

/// A file that the binary carries; it is compressed when it is first asked for.
pub(super) struct File {
    name: &'static str,
    text: &'static str,
    document: OnceLock<Document>,
}

impl File {
    /// A file of this name.
    pub(super) const fn new(name: &'static str, text: &'static str) -> Self {
        Self { name, text, document: OnceLock::new() }
    }

    fn document(&self) -> &Document {
        self.document.get_or_init(|| Document::new_blocking(self.text))
    }
}

/// Names of files with their texts.
macro_rules! files {
    ($($name:literal),* $(,)?) => { vec![$(File::new($name, include_str!(concat!("../web/", $name)))),*] };
}

/// The page itself.
static INDEX: File = File::new("index.html", include_str!("../web/index.html"));

/// What the page asks for, below `web/`; a test holds the list against the folder.
#[rustfmt::skip]
static FILES: LazyLock<Vec<File>> = LazyLock::new(|| files![
    "api.js",
    "board.js",
    "charts.js",
    "craps/bankroll.js",
    "craps/bets.js",
    "craps/names.js",
    "craps/round.js",
    "craps/simulation.js",
    "craps/tab.css",
    "craps/tab.js",
    "craps/texts.js",
    "craps/wager.js",
    "dom.js",
    "doudizhu/answer.js",
    "doudizhu/cards.js",
    "doudizhu/position.js",
    "doudizhu/tab.css",
    "doudizhu/tab.js",
    "doudizhu/texts.js",
    "elements.js",
    "i18n.js",
    "icon.svg",
    "job.js",
    "kit.js",
    "main.js",
    "style.css",
    "theme.js",
    "url.js",
    "yahtzee/analyse.js",
    "yahtzee/answer.js",
    "yahtzee/card.js",
    "yahtzee/daily.js",
    "yahtzee/dice.js",
    "yahtzee/distribution.js",
    "yahtzee/follow.js",
    "yahtzee/game.js",
    "yahtzee/notation.js",
    "yahtzee/pad.js",
    "yahtzee/picker.js",
    "yahtzee/play.js",
    "yahtzee/position.js",
    "yahtzee/review.js",
    "yahtzee/rules.js",
    "yahtzee/tab.css",
    "yahtzee/tab.js",
    "yahtzee/texts.js",
    "yahtzee/turn_form.js",
]);

/// The page.
pub(super) async fn index(State(state): State<Arc<AppState>>, headers: HeaderMap) -> Response {
    document(&state, &headers, INDEX.document())
}

/// One of the page's files.
pub(super) async fn file(Path(name): Path<String>, headers: HeaderMap) -> Result<Response, Problem> {
    file_of(&FILES, &name, &headers)
}

/// The file of that name.
pub(super) fn file_of(files: &[File], name: &str, request: &HeaderMap) -> Result<Response, Problem> {
    let file = files.iter().find(|file| file.name == name).ok_or(Problem::new(Kind::NotFound))?;
    Ok(file.document().answer(request, REVALIDATE, HeaderValue::from_static(media_type(file.name))))
}

/// The base path without its final slash leads to the page, whose links are relative to that slash.
pub(super) async fn add_slash(State(state): State<Arc<AppState>>, RawQuery(query): RawQuery) -> Response {
    let query = query.map_or_else(String::new, |query| format!("?{query}"));
    let last = state.config.base_path.rsplit('/').next().unwrap_or_default();
    (StatusCode::TEMPORARY_REDIRECT, [(LOCATION, format!("{last}/{query}"))]).into_response()
}

/// A path with a final slash leads to the same path without it. Like that of [`add_slash`], the reference is relative, so that
/// it is right behind a proxy that removes a prefix.
pub(super) async fn remove_slash(uri: Uri) -> Response {
    let query = uri.query().map_or_else(String::new, |query| format!("?{query}"));
    let last = uri.path().trim_end_matches('/').rsplit('/').next().unwrap_or_default();
    (StatusCode::PERMANENT_REDIRECT, [(LOCATION, format!("../{last}{query}"))]).into_response()
}

/// An HTML document. It takes scripts, styles, pictures and answers from this service and from nowhere else, nothing
/// inline, and can only be framed by the pages that the configuration names.
pub(super) fn document(state: &AppState, request: &HeaderMap, text: &Document) -> Response {
    let media_type = HeaderValue::from_static("text/html; charset=utf-8");
    let mut response = text.answer(request, REVALIDATE, media_type);
    let policy = format!(
        "default-src 'self'; object-src 'none'; base-uri 'none'; form-action 'self'; frame-ancestors {}",
        state.config.frame_ancestors
    );
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        response.headers_mut().insert(CONTENT_SECURITY_POLICY, policy);
    }
    response.headers_mut().insert(REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    response
}

/// The media type of a file, by the end of its name.
fn media_type(name: &str) -> &'static str {
    match name.rsplit('.').next() {
        Some("css") => "text/css; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("svg") => "image/svg+xml; charset=utf-8",
        _ => "text/plain; charset=utf-8",
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::io::Write;
    use std::path::Path;

    use flate2::Compression;
    use flate2::write::GzEncoder;

    use super::*;

    /// Maximum size of the page and all its files together, each compressed, in bytes.
    const BUDGET: usize = 90_000;

    /// The files of a folder and of the folders in it, by their names below `root`.
    fn files_below(folder: &Path, root: &Path) -> BTreeSet<String> {
        let entries = fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path());
        let below = |path: &Path| path.strip_prefix(root).expect("below").to_str().expect("plain").to_owned();
        entries
            .flat_map(|path| if path.is_dir() { files_below(&path, root) } else { [below(&path)].into() })
            .collect()
    }

    fn compressed_len(text: &str) -> usize {
        let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
        encoder.write_all(text.as_bytes()).expect("a vector takes every byte");
        encoder.finish().expect("a vector takes every byte").len()
    }

    #[test]
    fn every_file_of_the_folder_is_served_and_the_whole_is_small() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/web");
        let mut found = files_below(&root, &root);
        assert!(found.remove("index.html"));
        let served: BTreeSet<_> = FILES.iter().map(|file| file.name.to_owned()).collect();
        assert_eq!(served, found, "FILES of src/http/page.rs is to list the files of src/web");
        for name in &served {
            assert_ne!(media_type(name), "text/plain; charset=utf-8", "{name}");
        }
        let total =
            compressed_len(INDEX.text) + FILES.iter().map(|file| compressed_len(file.text)).sum::<usize>();
        assert!(total <= BUDGET, "{total} bytes");
    }

    #[test]
    fn the_page_asks_for_files_that_are_served() {
        for attribute in ["src=\"", "href=\""] {
            for rest in INDEX.text.split(attribute).skip(1) {
                let link = rest.split('"').next().unwrap_or_default().trim_start_matches("./");
                if [".js", ".css", ".svg"].iter().any(|end| link.ends_with(end)) {
                    let name = link.strip_prefix("web/").unwrap_or_default();
                    assert!(
                        FILES.iter().any(|file| file.name == name),
                        "{link} is not served; files are below web/"
                    );
                }
            }
        }
    }
}
