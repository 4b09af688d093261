//! How the page and its files are served. (What they do is held by the browser tests.)

use std::fs;
use std::path::PathBuf;

use crate::support::binary::Kibitz;
use crate::support::{Answer, App};
use axum::body::Body;
use axum::http::{Method, Request};

/// The files below `web/`, by name.
fn files() -> Vec<(String, String)> {
    let mut files = files_of("src/web");
    files.retain(|(name, _)| name != "index.html");
    files
}

fn files_of(folder: &str) -> Vec<(String, String)> {
    let paths = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path());
    let read = |path: PathBuf| {
        let name = path.strip_prefix("src/web").unwrap().to_str().unwrap().to_owned();
        if path.is_dir() {
            files_of(path.to_str().unwrap())
        } else {
            vec![(name, fs::read_to_string(path).unwrap())]
        }
    };
    paths.flat_map(read).collect()
}

/// The sources of a directive of an answer's policy.
fn directive<'a>(answer: &'a Answer, name: &str) -> Option<&'a str> {
    let directives = answer.header("content-security-policy").split(';').map(str::trim);
    directives.filter_map(|one| one.split_once(' ')).find(|(one, _)| *one == name).map(|(_, sources)| sources)
}

#[tokio::test]
async fn the_page_is_a_document_that_loads_nothing_from_elsewhere() {
    let answer = App::with(&[]).get("/").await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "text/html; charset=utf-8");
    assert_eq!(answer.text(), fs::read_to_string("src/web/index.html").unwrap());
    assert_eq!(answer.header("cache-control"), "no-cache");
    assert_eq!(answer.header("x-content-type-options"), "nosniff");
    assert_eq!(answer.header("referrer-policy"), "no-referrer");
    assert_eq!(directive(&answer, "default-src"), Some("'self'"));
    for name in ["object-src", "base-uri"] {
        assert_eq!(directive(&answer, name), Some("'none'"), "{name}");
    }
    assert!(!answer.header("content-security-policy").contains("unsafe"));
}

#[tokio::test]
async fn every_file_has_its_media_type() {
    let app = App::with(&[]);
    for (name, text) in files() {
        let answer = app.get(&format!("/web/{name}")).await;
        assert_eq!(answer.status, 200, "{name}");
        assert_eq!(answer.text(), text, "{name}");
        assert_eq!(answer.header("cache-control"), "no-cache");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        let media_type = match name.rsplit('.').next().unwrap() {
            "css" => "text/css; charset=utf-8",
            "js" => "text/javascript; charset=utf-8",
            "svg" => "image/svg+xml; charset=utf-8",
            other => panic!("a file of another kind: {other}"),
        };
        assert_eq!(answer.header("content-type"), media_type, "{name}");
    }
}

#[tokio::test]
async fn what_a_browser_has_is_not_sent_again() {
    let app = App::with(&[]);
    for path in ["/", "/web/icon.svg"] {
        let first = app.get(path).await;
        let tag = first.header("etag");
        assert!(tag.starts_with('"'), "{path}: {tag}");
        let again = app.get_with(path, &[("if-none-match", tag)]).await;
        assert_eq!((again.status.as_u16(), again.header("etag")), (304, tag), "{path}");
        assert!(again.body.is_empty());
        assert_eq!(again.header("content-security-policy"), first.header("content-security-policy"));
        assert_eq!(app.get_with(path, &[("if-none-match", "\"other\"")]).await.status, 200);
    }
}

#[tokio::test]
async fn large_files_are_compressed_on_request() {
    let app = App::with(&[]);
    let mut compressed = 0;
    for (name, text) in files() {
        let path = format!("/web/{name}");
        let plain = app.get(&path).await;
        let packed = app.get_with(&path, &[("accept-encoding", "br, gzip")]).await;
        if text.len() <= 1_024 {
            assert_eq!(packed.header("content-encoding"), "", "{name}");
            continue;
        }
        compressed += 1;
        assert_eq!(packed.header("content-encoding"), "gzip", "{name}");
        assert!(packed.body.len() < text.len(), "{name}");
        assert_eq!(packed.header("etag"), format!("W/{}", plain.header("etag")), "{name}");
        assert!(packed.headers.get_all("vary").iter().any(|value| value == "accept-encoding"), "{name}");
        let known =
            [("accept-encoding", "gzip"), ("if-none-match", packed.headers["etag"].to_str().unwrap())];
        assert_eq!(app.get_with(&path, &known).await.status, 304, "{name}");
    }
    assert!(compressed > 0 || files().len() == 1);
}

#[tokio::test]
async fn page_has_at_most_90_kb_compressed() {
    let app = App::with(&[]);
    let mut bytes = 0;
    for name in files().into_iter().map(|(name, _)| format!("web/{name}")).chain([String::new()]) {
        bytes += app.get_with(&format!("/{name}"), &[("accept-encoding", "gzip")]).await.body.len();
    }
    assert!(bytes <= 90_000, "{bytes} bytes");
}

#[tokio::test]
async fn head_is_get_without_a_body() {
    let app = App::with(&[]);
    for path in ["/", "/web/icon.svg"] {
        let (get, head) = (app.get(path).await, app.method(Method::HEAD, path).await);
        assert_eq!(head.status, 200);
        assert!(head.body.is_empty());
        for name in ["etag", "content-type", "content-security-policy"] {
            assert_eq!(head.header(name), get.header(name), "{path} {name}");
        }
        assert_eq!(head.header("content-length"), get.body.len().to_string());
    }
}

#[tokio::test]
async fn another_file_or_method_is_a_problem() {
    let app = App::with(&[]);
    for path in [
        "/web/nothing.js",
        "/web/yahtzee/nothing.js",
        "/web/index.html",
        "/web/..%2F..%2FCargo.toml",
        "/web/",
        "/web//",
        "/web",
        "/index.html",
    ] {
        app.get(path).await.problem(404, "not_found");
    }
    let answer = app.method(Method::POST, "/").await;
    answer.problem(405, "method_not_allowed");
    assert_eq!(answer.header("allow"), "GET,HEAD");
}

#[tokio::test]
async fn the_page_keeps_its_own_query() {
    let app = App::with(&[]);
    for query in ["?embed=1", "?lang=zh", "?lang=fr&anything=%7B"] {
        assert_eq!(app.get(&format!("/{query}")).await.text(), app.get("/").await.text(), "{query}");
    }
}

#[tokio::test]
async fn below_a_base_path_links_are_relative_to_its_slash() {
    let app = App::with(&["--base-path", "/kibitz"]);
    let page = app.get("/kibitz/").await;
    assert_eq!(page.status, 200);
    assert_eq!(app.get("/kibitz/web/icon.svg").await.status, 200);
    for (path, location) in [("/kibitz", "kibitz/"), ("/kibitz?lang=zh&embed=1", "kibitz/?lang=zh&embed=1")] {
        let answer = app.send_unchecked(Request::get(path).body(Body::empty()).unwrap()).await;
        assert_eq!((answer.status.as_u16(), answer.header("location")), (307, location));
    }
    app.get("/web/icon.svg").await.problem(404, "not_found");
    assert!(!page.text().contains("=\"/"), "something in the document leads out of the base path");
}

#[tokio::test]
async fn who_may_frame_the_page_is_configured() {
    for (flags, sources) in [
        (vec![], "*"),
        (vec!["--frame-ancestors", "none"], "'none'"),
        (vec!["--frame-ancestors", "self,https://game.example"], "'self' https://game.example"),
    ] {
        let answer = App::with(&flags).get("/?embed=1").await;
        assert_eq!(directive(&answer, "frame-ancestors"), Some(sources));
        assert_eq!(answer.header("x-frame-options"), "");
    }
}

#[test]
fn many_browsers_at_a_time_get_every_file() {
    // One request may run; the page is outside that limit.
    let kibitz = Kibitz::start(&["--max-requests", "1", "--yahtzee-rules", "plain"]);
    let paths: Vec<_> =
        files().into_iter().map(|(name, _)| format!("/web/{name}")).chain(["/".to_owned()]).collect();
    std::thread::scope(|scope| {
        for _ in 0..32 {
            scope.spawn(|| {
                for path in paths.iter().cycle().take(40) {
                    let request = format!("GET {path} HTTP/1.1\r\nhost: x\r\nconnection: close\r\n\r\n");
                    let (status, text) = kibitz.exchange(&request);
                    assert_eq!(status, 200, "{path}: {text}");
                }
            });
        }
    });
}
