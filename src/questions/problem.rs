//! Problems: why a question has no answer, with everything that its body says (RFC 9457).

use serde::Serialize;

use super::language::Language;

/// Declares the kinds of problems, each with its status and slug, its title in English and Chinese, and what a caller can do
/// about it in both languages.
macro_rules! kinds {
    ($($(#[doc = $doc:literal])* $kind:ident {
        $status:literal $code:literal,
        $title:literal, $title_zh:literal,
        $advice:literal,
        $advice_zh:literal,
    })*) => {
        /// One kind of problem, as its `code` names it.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Kind {
            $($(#[doc = $doc])* $kind,)*
        }

        impl Kind {
            /// Every kind.
            pub const ALL: &'static [Self] = &[$(Self::$kind),*];

            const fn facts(self) -> Facts {
                match self {
                    $(Self::$kind => Facts {
                        code: $code,
                        status: $status,
                        title: ($title, $title_zh),
                        advice: ($advice, $advice_zh),
                    },)*
                }
            }
        }
    };
}

/// What every problem of a kind has in common; the texts in English and in Chinese.
struct Facts {
    code: &'static str,
    status: u16,
    title: (&'static str, &'static str),
    advice: (&'static str, &'static str),
}

kinds! {
    /// The body is not JSON.
    MalformedJson {
        400 "malformed_json",
        "The body is not JSON", "请求体不是 JSON",
        "Send one JSON value, encoded in UTF-8.",
        "请发送一个 UTF-8 编码的 JSON 值。",
    }
    /// The path, or the job that it names, does not exist.
    NotFound {
        404 "not_found",
        "Not found", "未找到",
        "See /docs for the list of endpoints.",
        "接口列表见 /docs。",
    }
    /// The path has no such method.
    MethodNotAllowed {
        405 "method_not_allowed",
        "Method not allowed", "不支持此方法",
        "Use a method listed in the `Allow` header.",
        "请使用 `Allow` 响应头列出的方法。",
    }
    /// The request did not arrive, or was not answered, in time.
    Timeout {
        408 "timeout",
        "The request took too long", "请求超时",
        "Send the request faster, or split it into smaller ones.",
        "请更快地发送请求，或拆成几个较小的请求。",
    }
    /// The body is larger than the limit.
    BodyTooLarge {
        413 "body_too_large",
        "The body is too large", "请求体过大",
        "Send a smaller body, or split it into several requests.",
        "请减小请求体，或拆成多个请求。",
    }
    /// The body is not declared as JSON.
    UnsupportedMediaType {
        415 "unsupported_media_type",
        "The body must be JSON", "请求体须为 JSON",
        "Send the header `Content-Type: application/json`.",
        "请发送请求头 `Content-Type: application/json`。",
    }
    /// The body is compressed.
    UnsupportedContentCoding {
        415 "unsupported_content_coding",
        "The body must not be compressed", "请求体不得压缩",
        "Send the body as it is, without the header Content-Encoding.",
        "请直接发送未压缩的请求体，不要带 Content-Encoding 请求头。",
    }
    /// JSON of the wrong shape, or with values that make no sense.
    InvalidRequest {
        422 "invalid_request",
        "The request is invalid", "请求无效",
        "Fix the problems listed in `errors`.",
        "请修正 `errors` 中列出的问题。",
    }
    /// One client sends too many requests.
    RateLimited {
        429 "rate_limited",
        "Too many requests", "请求过于频繁",
        "Retry after the time given in `Retry-After`; the `RateLimit` header shows what is left.",
        "请在 `Retry-After` 给出的时间后重试；`RateLimit` 响应头给出剩余次数。",
    }
    /// More work than the service can do at once.
    Overloaded {
        503 "overloaded",
        "Service overloaded", "服务繁忙",
        "Retry after the time given in `Retry-After`.",
        "请在 `Retry-After` 给出的时间后重试。",
    }
    /// The tables that the request needs are still being built.
    NotReady {
        503 "not_ready",
        "Not ready yet", "尚未就绪",
        "The tables are still being built; retry in a second.",
        "数据表仍在构建，请一秒后重试。",
    }
    /// The queue of jobs is full.
    QueueFull {
        503 "queue_full",
        "The job queue is full", "任务队列已满",
        "Retry after the time given in `Retry-After`, or cancel a job.",
        "请在 `Retry-After` 给出的时间后重试，或取消一个任务。",
    }
    /// Too many jobs have ended so recently that their results must be kept.
    ResultsFull {
        503 "results_full",
        "Too many recent results", "近期结果过多",
        "Retry after the time given in `Retry-After`, or delete a finished job.",
        "请在 `Retry-After` 给出的时间后重试，或删除一个已结束的任务。",
    }
    /// Too many house rules are waiting for their tables.
    RulesQueueFull {
        503 "rules_queue_full",
        "Too many new house rules", "新规则过多",
        "Too many house rules are waiting for their tables; retry after the time given in `Retry-After`.",
        "等待建表的新规则过多；请在 `Retry-After` 给出的时间后重试。",
    }
    /// The job has expired.
    Gone {
        410 "gone",
        "The job has expired", "任务已过期",
        "Submit the same request again.",
        "请重新提交同样的请求。",
    }
    /// A listener has received the last event of a job already.
    StreamEnded {
        410 "stream_ended",
        "The event stream has ended", "事件流已结束",
        "Do not reconnect: the event in Last-Event-ID was the last one. Read the result from the job.",
        "无需重连：Last-Event-ID 所指的已是最后一个事件。请直接查询任务的结果。",
    }
    /// Another request has used the idempotency key.
    IdempotencyKeyReused {
        422 "idempotency_key_reused",
        "The idempotency key belongs to another request", "幂等键已用于另一请求",
        "Use a new key for each new request.",
        "新请求请使用新的幂等键。",
    }
    /// A bug, or a failure of the machine.
    Internal {
        500 "internal",
        "Internal error", "服务内部错误",
        "The error has been logged under the request id in `instance`.",
        "错误已记录，编号见 `instance`。",
    }
    /// Any other request that the framework rejects.
    BadRequest {
        400 "bad_request",
        "The request is malformed", "请求格式有误",
        "Send a well-formed HTTP request.",
        "请发送格式正确的 HTTP 请求。",
    }
}

impl Kind {
    /// The stable English slug.
    #[must_use]
    pub const fn code(self) -> &'static str {
        self.facts().code
    }

    /// The HTTP status.
    #[must_use]
    pub const fn status(self) -> u16 {
        self.facts().status
    }

    /// What went wrong, in a few words.
    #[must_use]
    pub fn title(self, language: Language) -> &'static str {
        let (english, chinese) = self.facts().title;
        language.choose(english, chinese)
    }

    /// What a caller can do about it, if the request itself gives no detail.
    #[must_use]
    pub fn advice(self, language: Language) -> &'static str {
        let (english, chinese) = self.facts().advice;
        language.choose(english, chinese)
    }
}

/// One fault of a request: its pointer and what to change.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Fault {
    /// The place in the request's body, or among the query's fields, as an RFC 6901 pointer.
    pub pointer: String,
    /// A stable English slug.
    pub code: &'static str,
    /// What is wrong and what to change, in the request's language.
    pub detail: String,
}

/// An error answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    kind: Kind,
    detail: Option<String>,
    errors: Vec<Fault>,
}

impl Problem {
    /// A problem of this kind; `detail` is the kind's advice.
    #[must_use]
    pub const fn new(kind: Kind) -> Self {
        Self { kind, detail: None, errors: Vec::new() }
    }

    /// The same problem with a detail of its own, in the request's language.
    #[must_use]
    pub fn with_detail(mut self, detail: impl Into<String>) -> Self {
        self.detail = Some(detail.into());
        self
    }

    /// An invalid request with all its faults.
    #[must_use]
    pub const fn invalid(errors: Vec<Fault>) -> Self {
        Self { kind: Kind::InvalidRequest, detail: None, errors }
    }

    /// The same problem with at most the first `faults` of its faults.
    pub(crate) fn with_at_most(mut self, faults: usize) -> Self {
        self.errors.truncate(faults);
        self
    }

    /// What went wrong here and what to do about it.
    #[must_use]
    pub fn detail(&self, language: Language) -> &str {
        match (&self.detail, &*self.errors) {
            (Some(detail), _) => detail,
            (None, [only]) => &only.detail,
            (None, _) => self.kind.advice(language),
        }
    }

    /// The problem as a text: its title, then each fault on a line of its own.
    #[must_use]
    pub fn in_words(&self, language: Language) -> String {
        let faults = self.errors.iter().map(|fault| match &*fault.pointer {
            "" => format!("\n  {}", fault.detail),
            pointer => format!("\n  {}: {}", pointer.trim_start_matches('/'), fault.detail),
        });
        match &*self.errors {
            [] => format!("{}: {}", self.kind.title(language), self.detail(language)),
            _ => format!("{}:{}", self.kind.title(language), faults.collect::<String>()),
        }
    }

    /// The faults of an invalid request.
    #[cfg(test)]
    pub(crate) fn errors(&self) -> &[Fault] {
        &self.errors
    }

    /// The kind of the problem.
    #[must_use]
    pub const fn kind(&self) -> Kind {
        self.kind
    }

    /// The body: `type` is where the kind is described, `instance` the request's id.
    pub(crate) fn body<'a>(
        &'a self,
        language: Language,
        r#type: String,
        instance: &'a str,
    ) -> impl Serialize + 'a {
        #[derive(Serialize)]
        struct Body<'a> {
            r#type: String,
            code: &'static str,
            title: &'static str,
            status: u16,
            detail: &'a str,
            instance: &'a str,
            #[serde(skip_serializing_if = "<[Fault]>::is_empty")]
            errors: &'a [Fault],
        }
        let detail = self.detail(language);
        let (code, title, status) = (self.kind.code(), self.kind.title(language), self.kind.status());
        Body { r#type, code, title, status, detail, instance, errors: &self.errors }
    }
}

impl From<serde_json::Error> for Problem {
    /// An answer that cannot be written is a bug of the service.
    fn from(error: serde_json::Error) -> Self {
        tracing::error!(%error, "cannot write an answer");
        Self::new(Kind::Internal)
    }
}
