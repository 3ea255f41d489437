//! The log as JSON: each event is a line, with the fields of its span.
//!
//! The lines equal those of `tracing_subscriber::fmt::layer().json()`. That collects the fields of a span in a map of values, and parses
//! them again for each field that is added and for each line. Here the fields are kept as they are written.

use std::{
    cmp::Ordering,
    fmt::{self, Debug, Display, Write},
    mem,
};

use tracing::{
    Event, Subscriber,
    field::{Field, Visit},
    span::Record,
};
use tracing_subscriber::{
    field::RecordFields,
    fmt::{
        FmtContext, FormatEvent, FormatFields, FormattedFields,
        format::Writer,
        time::{FormatTime, SystemTime},
    },
    registry::LookupSpan,
};

/// Writes events.
#[derive(Debug, Clone, Copy)]
pub(super) struct JsonLines;

/// Writes the fields of spans. Each field is a line `"name":value`, in the order of the names.
#[derive(Debug, Clone, Copy)]
pub(super) struct SpanFields;

impl<S> FormatEvent<S, SpanFields> for JsonLines
where
    S: Subscriber + for<'a> LookupSpan<'a>,
{
    fn format_event(
        &self,
        context: &FmtContext<'_, S, SpanFields>,
        mut line: Writer<'_>,
        event: &Event<'_>,
    ) -> fmt::Result {
        let about = event.metadata();
        line.write_str("{\"timestamp\":\"")?;
        SystemTime.format_time(&mut line)?;
        write!(line, "\",\"level\":\"{}\"", about.level())?;
        let mut fields = Fields { to: Line(line.by_ref()), outcome: Ok(()) };
        event.record(&mut fields);
        fields.outcome?;
        write!(line, ",\"target\":{}", LoggedValue::Text(format_args!("{}", about.target())))?;
        let span = event.parent().and_then(|id| context.span(id)).or_else(|| context.lookup_current());
        if let Some(span) = span {
            let extensions = span.extensions();
            let kept = extensions.get::<FormattedFields<SpanFields>>();
            line.write_str(",\"span\":{")?;
            for field in kept.map_or("", |kept| kept.fields.as_str()).lines() {
                write!(line, "{field},")?;
            }
            write!(line, "\"name\":{}}}", LoggedValue::Text(format_args!("{}", span.name())))?;
        }
        line.write_str("}\n")
    }
}

impl<'writer> FormatFields<'writer> for SpanFields {
    fn format_fields<R: RecordFields>(&self, mut writer: Writer<'writer>, recorded: R) -> fmt::Result {
        let mut fields = Fields { to: SortedLines(String::with_capacity(256)), outcome: Ok(()) };
        recorded.record(&mut fields);
        fields.outcome?;
        writer.write_str(&fields.to.0)
    }

    fn add_fields(&self, current: &'writer mut FormattedFields<Self>, recorded: &Record<'_>) -> fmt::Result {
        let mut fields = Fields { to: SortedLines(mem::take(&mut current.fields)), outcome: Ok(()) };
        recorded.record(&mut fields);
        current.fields = fields.to.0;
        fields.outcome
    }
}

/// A value of a field.
enum LoggedValue<'a> {
    /// A number, or a truth value.
    Plain(fmt::Arguments<'a>),
    Text(fmt::Arguments<'a>),
}

impl Display for LoggedValue<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Plain(value) => f.write_fmt(*value),
            Self::Text(text) => {
                f.write_char('"')?;
                Escaped(f).write_fmt(*text)?;
                f.write_char('"')
            }
        }
    }
}

/// Escapes text as JSON does.
struct Escaped<'a>(&'a mut dyn Write);

impl Write for Escaped<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        let mut rest = text;
        while let Some(at) = rest.find(|c: char| c < ' ' || c == '"' || c == '\\') {
            self.0.write_str(&rest[..at])?;
            match rest.as_bytes()[at] {
                b'"' => self.0.write_str("\\\"")?,
                b'\\' => self.0.write_str("\\\\")?,
                b'\n' => self.0.write_str("\\n")?,
                b'\r' => self.0.write_str("\\r")?,
                b'\t' => self.0.write_str("\\t")?,
                0x08 => self.0.write_str("\\b")?,
                0x0c => self.0.write_str("\\f")?,
                control => write!(self.0, "\\u{control:04x}")?,
            }
            rest = &rest[at + 1..];
        }
        self.0.write_str(rest)
    }
}

/// Receives fields.
trait FieldSink {
    fn add(&mut self, name: &str, value: LoggedValue<'_>) -> fmt::Result;
}

/// The line of an event, in which each field follows another.
struct Line<'a>(Writer<'a>);

impl FieldSink for Line<'_> {
    fn add(&mut self, name: &str, value: LoggedValue<'_>) -> fmt::Result {
        write!(self.0, ",\"{name}\":{value}")
    }
}

/// The fields of a span. A newer value replaces the previous one.
struct SortedLines(String);

impl FieldSink for SortedLines {
    fn add(&mut self, name: &str, value: LoggedValue<'_>) -> fmt::Result {
        let (at, before) = self.place_of(name);
        self.0.replace_range(at..at + before, "");
        let end = self.0.len();
        writeln!(self.0, "\"{name}\":{value}")?;
        if at < end {
            let mut bytes = mem::take(&mut self.0).into_bytes();
            let added = bytes.len() - end;
            bytes[at..].rotate_right(added);
            self.0 = String::from_utf8(bytes).expect("the same lines in another order");
        }
        Ok(())
    }
}

impl SortedLines {
    /// Returns where a field of this name belongs, and the length of the line that is there if the field has a value.
    fn place_of(&self, name: &str) -> (usize, usize) {
        let mut at = 0;
        for line in self.0.split_inclusive('\n') {
            let other = line[1..].split('"').next().unwrap_or_default();
            match other.cmp(name) {
                Ordering::Less => at += line.len(),
                Ordering::Equal => return (at, line.len()),
                Ordering::Greater => break,
            }
        }
        (at, 0)
    }
}

/// Passes fields on with their values.
struct Fields<T> {
    to: T,
    outcome: fmt::Result,
}

impl<T: FieldSink> Fields<T> {
    fn add(&mut self, field: &Field, value: LoggedValue<'_>) {
        if self.outcome.is_ok() {
            self.outcome = self.to.add(field.name(), value);
        }
    }
}

impl<T: FieldSink> Visit for Fields<T> {
    fn record_f64(&mut self, field: &Field, value: f64) {
        // JSON has neither infinities nor NaN.
        self.add(field, LoggedValue::Plain(format_args!("{}", serde_json::Value::from(value))));
    }

    fn record_i64(&mut self, field: &Field, value: i64) {
        self.add(field, LoggedValue::Plain(format_args!("{value}")));
    }

    fn record_u64(&mut self, field: &Field, value: u64) {
        self.add(field, LoggedValue::Plain(format_args!("{value}")));
    }

    fn record_bool(&mut self, field: &Field, value: bool) {
        self.add(field, LoggedValue::Plain(format_args!("{value}")));
    }

    fn record_str(&mut self, field: &Field, value: &str) {
        self.add(field, LoggedValue::Text(format_args!("{value}")));
    }

    fn record_debug(&mut self, field: &Field, value: &dyn Debug) {
        self.add(field, LoggedValue::Text(format_args!("{value:?}")));
    }
}

#[cfg(test)]
mod tests {
    use std::{
        io,
        sync::{Arc, Mutex},
    };

    use tracing::{Span, field::Empty};
    use tracing_subscriber::{fmt, layer::SubscriberExt};

    use super::*;

    /// A log in memory.
    #[derive(Clone, Default)]
    struct Log(Arc<Mutex<Vec<u8>>>);

    impl io::Write for Log {
        fn write(&mut self, text: &[u8]) -> io::Result<usize> {
            self.0.lock().expect("the log").extend(text);
            Ok(text.len())
        }

        fn flush(&mut self) -> io::Result<()> {
            Ok(())
        }
    }

    impl Log {
        /// Returns the lines without their times.
        fn lines(&self) -> Vec<String> {
            let log = String::from_utf8(self.0.lock().expect("the log").clone()).expect("text");
            let rest = |line: &str| line.split_once("Z\",").map(|(_, rest)| rest.to_owned());
            log.lines().map(|line| rest(line).unwrap_or_else(|| panic!("no time: {line}"))).collect()
        }
    }

    /// Returns what an action logs by this module, and by the library.
    fn logged(act: impl FnOnce()) -> [Vec<String>; 2] {
        let (own, usual) = (Log::default(), Log::default());
        let (to_own, to_usual) = (own.clone(), usual.clone());
        let json = fmt::layer().json().flatten_event(true).with_current_span(true).with_span_list(false);
        let subscriber = tracing_subscriber::registry()
            .with(
                fmt::layer()
                    .with_ansi(false)
                    .fmt_fields(SpanFields)
                    .event_format(JsonLines)
                    .with_writer(move || to_own.clone()),
            )
            .with(json.with_writer(move || to_usual.clone()));
        tracing::subscriber::with_default(subscriber, act);
        [own.lines(), usual.lines()]
    }

    #[test]
    fn lines_equal_those_of_the_library() {
        let [own, usual] = logged(|| {
            tracing::info!("outside of a span");
            let id = "0123abcd";
            let request = tracing::info_span!(
                "request",
                request.id = %id,
                trace.id = None::<tracing::field::DisplayValue<u8>>,
                http.method = %"GET",
                http.route = %"/jobs/{id}",
                user.id = Empty,
                job.id = Empty,
            );
            let _entered = request.enter();
            tracing::info!(http.status = 200_u16, latency_us = 1_234_u128, "request answered");
            Span::current().record("user.id", tracing::field::display(7));
            Span::current().record("job.id", tracing::field::display("a \"job\"\n\t\u{1b}\\ \u{8}\u{c}\r"));
            tracing::warn!(
                is_late = true,
                share = 0.5,
                none = f64::NAN,
                debt = -3_i64,
                "said with {}",
                "ಕನ್ನಡ"
            );
            Span::current().record("user.id", tracing::field::display(8));
            Span::current().record("http.route", "another");
            tracing::error!(error.cause = %"a: \"b\"", panic.location = ?Some("x"), text = "plain", "failed");
            let inner = tracing::debug_span!("inner", zone = 1, count = 2_u64, is_first = false, far = 1e300);
            let _inside = inner.enter();
            tracing::debug!(target: "another::target", "in a span with a parent");
            let bare = tracing::info_span!("bare");
            tracing::info!(parent: &bare, "in a span without fields");
        });
        assert_eq!(own.len(), 6);
        assert_eq!(own, usual);
    }

    #[test]
    fn every_text_is_escaped_as_serde_does() {
        let mut every: String = (0..0x250).filter_map(char::from_u32).collect();
        every.push_str("क🚗\u{2028}");
        for text in [every.as_str(), "", "\"", "\\\\", "a\nb", "\u{7f}"] {
            let own = LoggedValue::Text(format_args!("{text}")).to_string();
            assert_eq!(own, serde_json::to_string(text).expect("a text is JSON"));
        }
    }
}
