//! `traceparent` of W3C Trace Context. `tracestate` is neither read nor passed on, since other systems write anything into it.

use actix_web::http::header::HeaderMap;
use opentelemetry::{
    Context,
    trace::{SpanContext, SpanId, TraceContextExt, TraceFlags, TraceId, TraceState},
};

pub const TRACEPARENT: &str = "traceparent";

/// The version that is written. Later versions are read as this one, as far as possible.
const VERSION: &str = "00";
/// The length of `00-<32>-<16>-<2>`.
const LENGTH: usize = 55;

/// Reads the caller's header; returns `None` if it is missing, malformed or repeated.
pub(super) fn of_headers(headers: &HeaderMap) -> Option<SpanContext> {
    let mut all = headers.get_all(TRACEPARENT);
    let only = all.next()?;
    if all.next().is_some() { None } else { read(only.to_str().ok()?) }
}

/// Reads a `traceparent` strictly by the standard (section 3.2): lower case, exact lengths, no zero ids, no version `ff`; a later
/// version may continue after another `-`.
pub(super) fn read(text: &str) -> Option<SpanContext> {
    let (head, rest) = text.split_at_checked(LENGTH)?;
    let parts: Vec<&str> = head.split('-').collect();
    let [version, trace, span, flags] = parts[..] else { return None };
    let is_hex = |part: &str, length: usize| {
        part.len() == length && part.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let is_whole = is_hex(version, 2) && is_hex(trace, 32) && is_hex(span, 16) && is_hex(flags, 2);
    let is_known =
        if version == VERSION { rest.is_empty() } else { rest.is_empty() || rest.starts_with('-') };
    if !is_whole || !is_known || version == "ff" {
        return None;
    }
    let flags = TraceFlags::new(u8::from_str_radix(flags, 16).ok()?) & TraceFlags::SAMPLED;
    let (trace, span) = (TraceId::from_hex(trace).ok()?, SpanId::from_hex(span).ok()?);
    let context = SpanContext::new(trace, span, flags, true, TraceState::NONE);
    context.is_valid().then_some(context)
}

/// Returns the header that names the current span; `None` outside of a trace.
pub fn current_traceparent() -> Option<String> {
    Context::map_current(|context| {
        if !context.has_active_span() {
            return None;
        }
        Some(write(context.span().span_context()))
    })
}

pub(super) fn write(span: &SpanContext) -> String {
    let flags = u8::from(span.is_sampled());
    format!("{VERSION}-{}-{}-{flags:02x}", span.trace_id(), span.span_id())
}

#[cfg(test)]
mod tests {
    use actix_web::http::header::{HeaderName, HeaderValue};

    use super::*;

    const TRACE: &str = "0af7651916cd43dd8448eb211c80319c";
    const SPAN: &str = "b7ad6b7169203331";

    #[test]
    fn a_parent_is_read_and_written_alike() {
        for (flags, is_sampled) in [("01", true), ("00", false), ("03", true), ("fe", false)] {
            let parent = read(&format!("00-{TRACE}-{SPAN}-{flags}")).expect("a parent");
            assert_eq!(
                (parent.trace_id().to_string(), parent.span_id().to_string()),
                (TRACE.into(), SPAN.into())
            );
            assert_eq!((parent.is_sampled(), parent.is_remote()), (is_sampled, true));
            let _attached = Context::new().with_remote_span_context(parent).attach();
            let written = format!("00-{TRACE}-{SPAN}-0{}", u8::from(is_sampled));
            assert_eq!(current_traceparent(), Some(written));
        }
        assert_eq!(current_traceparent(), None);
    }

    #[test]
    fn a_later_version_may_say_more() {
        for more in ["", "-", "-what-it-adds"] {
            assert!(read(&format!("01-{TRACE}-{SPAN}-01{more}")).is_some(), "{more}");
        }
    }

    #[test]
    fn a_malformed_parent_is_ignored() {
        let (upper, zeros) = (TRACE.to_uppercase(), "0".repeat(32));
        let cases = [
            String::new(),
            "00".to_owned(),
            format!("00-{TRACE}-{SPAN}"),
            format!("00-{TRACE}-{SPAN}-1"),
            format!("00-{TRACE}-{SPAN}-01-more"),
            format!("00-{TRACE}-{SPAN}-01 "),
            format!(" 00-{TRACE}-{SPAN}-01"),
            format!("ff-{TRACE}-{SPAN}-01"),
            format!("01-{TRACE}-{SPAN}-01.more"),
            format!("0-0{TRACE}-{SPAN}-01"),
            format!("00-{upper}-{SPAN}-01"),
            format!("00-{zeros}-{SPAN}-01"),
            format!("00-{TRACE}-{}-01", "0".repeat(16)),
            format!("00-+{}-{SPAN}-01", &TRACE[1..]),
            format!("00-{TRACE}-{SPAN}-0g"),
            format!("00_{TRACE}_{SPAN}_01"),
            format!("00-{}é-{SPAN}-01", &TRACE[2..]),
            "é".repeat(LENGTH),
        ];
        for text in cases {
            assert!(read(&text).is_none(), "{text}");
        }
    }

    #[test]
    fn two_parents_are_ignored() {
        let mut headers = HeaderMap::new();
        let name = HeaderName::from_static(TRACEPARENT);
        let value = HeaderValue::from_str(&format!("00-{TRACE}-{SPAN}-01")).expect("a value");
        headers.append(name.clone(), value.clone());
        assert!(of_headers(&headers).is_some());
        headers.append(name, value);
        assert!(of_headers(&headers).is_none());
    }
}
