//! One operation: what it takes, what it answers, and how to ask it.

use super::html::{Escaped, markdown};
use super::node::Node;
use super::schema::{kind, resolved, row, shown, table};

/// Characters on a line of an example.
const WIDTH: usize = 88;
/// Where the examples ask; the script puts the reader's own service in its place.
const HERE: &str = "http://127.0.0.1:8080";

/// An operation of the contract.
pub(super) struct Operation<'a> {
    pub(super) tag: &'a str,
    id: &'a str,
    method: String,
    path: &'a str,
    node: &'a Node,
}

/// Every operation, in the order of the file.
pub(super) fn all(contract: &Node) -> Vec<Operation<'_>> {
    let paths = contract.get("paths").map_or(&[][..], Node::fields);
    let operations = paths.iter().flat_map(|(path, methods)| {
        methods.fields().iter().map(|(method, node)| Operation {
            tag: node.get("tags").and_then(|tags| tags.items().first()?.as_str()).unwrap_or_default(),
            id: node.text("operationId").unwrap_or_default(),
            method: method.to_uppercase(),
            path,
            node,
        })
    });
    operations.collect()
}

impl Operation<'_> {
    /// Its line in the contents.
    pub(super) fn link(&self) -> String {
        format!("<li><a href=\"#{}\">{}</a></li>", self.id, self.name())
    }

    fn name(&self) -> String {
        // A long path may break after each of its slashes.
        let path = Escaped(self.path).to_string().replace('/', "/<wbr>");
        format!(
            "<span class=\"method {}\">{}</span> <span class=\"path\">{path}</span>",
            self.method.to_lowercase(),
            self.method
        )
    }

    /// All of it.
    pub(super) fn article(&self, contract: &Node) -> String {
        let summary = self.node.text("summary").map_or_else(String::new, |text| Escaped(text).to_string());
        let description = self.node.text("description").map_or_else(String::new, markdown);
        format!(
            "<article id=\"{id}\"><h3><a href=\"#{id}\">{name}</a></h3><p class=\"summary\">{summary}</p>{description}{parameters}{body}{examples}{responses}</article>",
            id = self.id,
            name = self.name(),
            parameters = self.parameters(contract),
            body = self.body(contract),
            examples = self.examples(contract),
            responses = self.responses(contract),
        )
    }

    fn parameters(&self, contract: &Node) -> String {
        let parameters = self.node.get("parameters").map_or(&[][..], Node::items);
        if parameters.is_empty() {
            return String::new();
        }
        let rows = parameters.iter().map(|parameter| {
            let parameter = resolved(parameter, contract);
            let required = parameter.get("required").is_some_and(|required| required.compact() == "true");
            let place = parameter.text("in").unwrap_or_default();
            let mark = format!("<span class=\"{0}\">{0}</span>", if required { "required" } else { place });
            row(parameter.text("name").unwrap_or_default(), &mark, parameter, contract)
        });
        format!("<h4>Parameters</h4>{}", table(["Parameter", "Type", "Meaning"], &rows.collect::<String>()))
    }

    fn body(&self, contract: &Node) -> String {
        let Some(schema) = self.json_body().and_then(|body| body.get("schema")) else {
            return String::new();
        };
        let name = schema
            .text("$ref")
            .map_or_else(String::new, |_| format!(" <span class=\"of\">{}</span>", kind(schema)));
        format!("<h4>Body{name}</h4>{}", shown(schema, contract))
    }

    fn json_body(&self) -> Option<&Node> {
        self.node.get("requestBody")?.get("content")?.get("application/json")
    }

    /// How it is asked: a command for each example, which the script makes a form of.
    fn examples(&self, contract: &Node) -> String {
        let answers =
            self.node.at("#/responses/200/content").and_then(|content| content.get("application/json"));
        let answers = answers.and_then(|answer| answer.get("examples"));
        let answer = |name: &str| {
            let value = answers.and_then(|answers| answers.get(name)?.get("value"));
            value.map_or_else(String::new, |value| block("Answer", &value.pretty(WIDTH)))
        };
        let target = self.target(contract);
        let mut shown = String::new();
        let bodies = self.json_body().and_then(|body| body.get("examples")).map_or(&[][..], Node::fields);
        for (name, example) in bodies {
            let summary = example.text("summary").unwrap_or(name);
            let body = example.get("value").map_or_else(String::new, |value| value.pretty(WIDTH));
            let command = format!(
                "curl -s {HERE}{target} \\\n  -H 'content-type: application/json' \\\n  -d '{}'",
                body.replace('\'', "'\\''")
            );
            shown += &self.example(summary, &target, Some(&body), &command, &answer(name));
        }
        if bodies.is_empty() {
            let first = answers.and_then(|answers| answers.fields().first());
            let summary = first.and_then(|(_, example)| example.text("summary")).unwrap_or("Example");
            let verb = if self.method == "GET" { String::new() } else { format!("-X {} ", self.method) };
            let command = format!("curl -s {verb}'{HERE}{target}'");
            shown += &self.example(
                summary,
                &target,
                None,
                &command,
                &first.map_or_else(String::new, |(name, _)| answer(name)),
            );
        }
        format!("<h4>{}</h4>{shown}", if bodies.len() > 1 { "Examples" } else { "Example" })
    }

    fn example(
        &self,
        summary: &str,
        target: &str,
        body: Option<&str>,
        command: &str,
        answer: &str,
    ) -> String {
        let body = body.map_or_else(String::new, |body| format!(" data-body=\"{}\"", Escaped(body)));
        format!(
            "<details class=\"example\" data-method=\"{}\" data-target=\"{}\"{body}><summary>{}</summary>{}{answer}</details>",
            self.method,
            Escaped(target),
            Escaped(summary),
            block("Request", command),
        )
    }

    /// The path with the examples of its parameters.
    fn target(&self, contract: &Node) -> String {
        let (mut path, mut query) = (self.path.to_owned(), Vec::new());
        for parameter in self.node.get("parameters").map_or(&[][..], Node::items) {
            let parameter = resolved(parameter, contract);
            let (Some(name), Some(example)) = (parameter.text("name"), parameter.get("example")) else {
                continue;
            };
            let text = example.as_str().map_or_else(|| example.compact(), str::to_owned);
            match parameter.text("in") {
                Some("path") => path = path.replace(&format!("{{{name}}}"), &text),
                Some("query") => query.push(format!("{name}={text}")),
                _ => {}
            }
        }
        if query.is_empty() { path } else { format!("{path}?{}", query.join("&")) }
    }

    fn responses(&self, contract: &Node) -> String {
        let mut rows = String::new();
        for (status, response) in self.node.get("responses").map_or(&[][..], Node::fields) {
            let response = resolved(response, contract);
            let description = response.text("description").map_or_else(String::new, markdown);
            let content =
                response.get("content").map_or(&[][..], Node::fields).iter().map(|(media_type, content)| {
                    let schema = content.get("schema").filter(|schema| schema.text("$ref").is_some());
                    let schema = schema.map_or_else(String::new, |schema| format!(" {}", kind(schema)));
                    format!("<div><code>{}</code>{schema}</div>", Escaped(media_type))
                });
            let headers = response.get("headers").map_or(&[][..], Node::fields).iter();
            let headers: Vec<_> =
                headers.map(|(name, _)| format!("<code>{}</code>", Escaped(name))).collect();
            rows += &format!(
                "<tr><th scope=\"row\">{status}</th><td>{}{}</td><td>{description}</td></tr>",
                content.collect::<String>(),
                headers.join(" "),
            );
        }
        format!("<h4>Answers</h4>{}", table(["Status", "Form", "When"], &rows))
    }
}

fn block(title: &str, text: &str) -> String {
    format!(
        "<figure><figcaption>{title}</figcaption><pre tabindex=\"0\"><code>{}</code></pre></figure>",
        Escaped(text)
    )
}
