//! Lists that admins read, page by page or as CSV (RFC 4180).
//!
//! CSV is streamed chunk by chunk, each read after the last row of the one before, so that no
//! export holds more than a chunk in memory or a connection while its reader is slow.
//!
//! Every export leaves an audit row. So does a page of a list that shows personal data, once in ten minutes for the same admin and
//! the same parameters: a board that polls would fill the log.

use actix_web::{
    HttpResponse,
    http::header::{CONTENT_DISPOSITION, CONTENT_TYPE},
    web::Bytes,
};
use futures_util::{StreamExt, stream};
use roadcall_platform::{
    audit::{self, NewAuditEntry},
    core::Core,
    db::carried,
    error::{ApiError, ApiResult},
};
use serde::Serialize;
use serde_json::{Value, json};
use uuid::Uuid;

use crate::{ExportQuery, ListFilter, ListFormat, ListWindow, RowKey};

/// Rows of one chunk.
const CHUNK: i64 = 500;

/// An object of a list that can be exported.
pub trait CsvRow: Serialize {
    /// The columns of the objects that are flattened into its JSON; they come before its own.
    const FLATTENED: &'static [&'static [&'static str]] = &[];
    /// Every other field of its JSON, in the order of the columns.
    const COLUMNS: &'static [&'static str];
}

fn columns<T: CsvRow>() -> impl Iterator<Item = &'static str> {
    T::FLATTENED.iter().copied().chain([T::COLUMNS]).flatten().copied()
}

/// A list that admins read: page by page as JSON, or whole as CSV.
pub trait AdminList: 'static {
    /// Its name in the audit log and in the file's name.
    const NAME: &'static str;
    /// The personal data in its rows: "name", "phone" … If there is any, reading a page leaves an audit row.
    const PERSONAL_DATA: &'static [&'static str];
    /// The conditions on its rows; all that are given must hold. `list_filter!` declares it.
    type Filter: ListFilter;
    /// A row as it is shown.
    type Item: CsvRow + 'static;
    /// The context that reading and showing the rows needs.
    type Context: AsRef<Core> + Clone + 'static;

    /// Returns the number of rows.
    fn count(context: &Self::Context, filter: &Self::Filter) -> impl Future<Output = ApiResult<i64>>;

    /// Returns the number of rows that a page names, if the page does not show it: that of all rows or, for a search that finds more,
    /// [`MAX_COUNTED_RESULTS`](crate::MAX_COUNTED_RESULTS).
    fn total(context: &Self::Context, filter: &Self::Filter) -> impl Future<Output = ApiResult<i64>> {
        Self::count(context, filter)
    }

    /// Returns a part of the rows, the newest first, each with its place in the list.
    fn rows(
        context: &Self::Context,
        filter: &Self::Filter,
        window: ListWindow,
    ) -> impl Future<Output = ApiResult<Vec<(RowKey, Self::Item)>>>;
}

/// Answers with a page of the list, or with all of it as CSV.
pub async fn list<L: AdminList>(
    context: &L::Context,
    admin: Uuid,
    query: &ExportQuery<L::Filter>,
) -> ApiResult<HttpResponse> {
    let (filter, format, page) = query.read()?;
    if format == ListFormat::Csv {
        let total = L::count(context, &filter).await?;
        return export::<L>(context.clone(), admin, query.pairs(), total, filter).await;
    }
    let rows = L::rows(context, &filter, page.into()).await?;
    let total = page.total(rows.len(), L::total(context, &filter)).await?;
    let shown = ShownList { name: L::NAME, personal_data: L::PERSONAL_DATA };
    shown.record_page(context.as_ref(), admin, query.pairs(), (rows.len(), total)).await?;
    Ok(HttpResponse::Ok().json(page.of(rows.into_iter().map(|(_, item)| item).collect(), total)))
}

/// Answers with at most `admin.export_max_rows` rows; headers give the total number of rows, and say whether some are
/// left out. Leaves an audit row. Rows that are made meanwhile are newer than the first and don't belong to the
/// export.
async fn export<L: AdminList>(
    context: L::Context,
    admin: Uuid,
    asked: Vec<(String, String)>,
    total: i64,
    filter: L::Filter,
) -> ApiResult<HttpResponse> {
    if let Some((name, _)) = asked.iter().find(|(name, _)| ["page", "limit"].contains(&name.as_str())) {
        return Err(ApiError::invalid(name.clone(), "is not allowed with format=csv, which has no pages"));
    }
    let core: &Core = context.as_ref();
    let most = core.settings.max_exported_rows;
    let now = core.clock.now();
    // The first chunk is read before anything is sent: a database that is away is a 503, not half a file.
    let first =
        L::rows(&context, &filter, ListWindow { limit: CHUNK.min(most), offset: 0, after: None }).await?;
    let shown = ShownList { name: L::NAME, personal_data: L::PERSONAL_DATA };
    shown.record_export(core, admin, &asked, (total.min(most), total)).await?;
    let head = line(columns::<L::Item>().map(str::to_owned))?;
    let next = move |window| {
        let (context, filter) = (context.clone(), filter.clone());
        carried(async move { L::rows(&context, &filter, window).await })
    };
    let begun = Progress { next, chunk: Some(first), left: most };
    let rows = stream::try_unfold(begun, |progress| progress.step());
    let name = format!("{}-{}.csv", L::NAME, now.format("%Y-%m-%dT%H%M%SZ"));
    Ok(HttpResponse::Ok()
        .insert_header((CONTENT_TYPE, "text/csv; charset=utf-8; header=present"))
        .insert_header((CONTENT_DISPOSITION, format!("attachment; filename=\"{name}\"")))
        .insert_header(("x-total-rows", total))
        .insert_header(("x-row-limit", most))
        .insert_header(("x-truncated", if total > most { "true" } else { "false" }))
        .streaming(stream::once(async { Ok(head) }).chain(rows)))
}

/// A list, as the audit log names it. Handlers use it directly for lists that have no CSV.
#[derive(Debug, Clone, Copy)]
pub struct ShownList {
    pub name: &'static str,
    /// The personal data in its rows.
    pub personal_data: &'static [&'static str],
}

impl ShownList {
    /// Leaves an audit entry for a page that was read with these parameters, if the list shows personal data. The
    /// numbers are the rows of the page and of the whole list.
    pub async fn record_page(
        self,
        core: &Core,
        admin: Uuid,
        asked: Vec<(String, String)>,
        (shown, total): (usize, i64),
    ) -> ApiResult<()> {
        if self.personal_data.is_empty() {
            return Ok(());
        }
        let now = core.clock.now();
        let what = format!("{} {asked:?}", self.name);
        let rows = (shown.try_into().unwrap_or(i64::MAX), total);
        let entry = self.entry("list.read", core.random.id(now), admin, &asked, rows);
        core.reads.record(&core.db, &core.random, now, what, entry).await
    }

    async fn record_export(
        self,
        core: &Core,
        admin: Uuid,
        asked: &[(String, String)],
        rows: (i64, i64),
    ) -> ApiResult<()> {
        let now = core.clock.now();
        let entry = self.entry("export", core.random.id(now), admin, asked, rows);
        audit::record_alone(&core.db, &core.random, now, entry).await
    }

    /// Returns the audit entry. A search text may be a person's number, so the entry only says that there was one.
    fn entry(
        self,
        action: &'static str,
        id: Uuid,
        admin: Uuid,
        asked: &[(String, String)],
        (shown, total): (i64, i64),
    ) -> NewAuditEntry<'static> {
        let kept = |(name, value): &(String, String)| {
            (name.clone(), Value::from(if name == "q" { "[hidden]" } else { value.as_str() }))
        };
        let filters: serde_json::Map<_, _> =
            asked.iter().filter(|(name, _)| name != "format").map(kept).collect();
        NewAuditEntry {
            actor_id: Some(admin),
            action,
            subject_kind: self.name,
            subject_id: id,
            before: Value::Null,
            after: json!({
                "list": self.name, "filters": filters, "rows": shown, "total": total,
                "personal_data": self.personal_data,
            }),
        }
    }
}

/// The progress of an export.
struct Progress<T, Next> {
    next: Next,
    /// The rows that are read and not yet sent; `None` once the last ones were sent.
    chunk: Option<Vec<(RowKey, T)>>,
    /// The number of rows that may still be sent, including the chunk's.
    left: i64,
}

impl<T, Next, Read> Progress<T, Next>
where
    T: CsvRow,
    Next: Fn(ListWindow) -> Read,
    Read: Future<Output = ApiResult<Vec<(RowKey, T)>>>,
{
    /// Returns the chunk as text, and reads the next one.
    async fn step(mut self) -> ApiResult<Option<(Bytes, Self)>> {
        let Some(chunk) = self.chunk.take().filter(|chunk| !chunk.is_empty()) else { return Ok(None) };
        let mut text = Vec::new();
        for (_, row) in &chunk {
            text.extend(line(cells(row)?)?);
        }
        let sent = i64::try_from(chunk.len()).unwrap_or(i64::MAX);
        self.left = self.left.saturating_sub(sent);
        let after = chunk.last().map(|(key, _)| *key);
        let is_last = sent < CHUNK || self.left == 0;
        if !is_last {
            let window = ListWindow { limit: CHUNK.min(self.left), offset: 0, after };
            self.chunk = Some((self.next)(window).await?);
        }
        Ok(Some((text.into(), self)))
    }
}

/// Returns an object's fields as cells, in the order of its columns.
fn cells<T: CsvRow>(row: &T) -> ApiResult<Vec<String>> {
    let row = serde_json::to_value(row).map_err(ApiError::internal)?;
    Ok(columns::<T>().map(|name| cell(&row[name])).collect())
}

/// Returns a value as a cell: lists of texts are joined by `; `, anything deeper is JSON.
fn cell(value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::Bool(is) => is.to_string(),
        // A negative number is not taken for a formula.
        Value::Number(number) => number.to_string(),
        Value::String(text) => harmless_cell(text.clone()),
        Value::Array(items) if items.iter().all(Value::is_string) => {
            harmless_cell(items.iter().filter_map(Value::as_str).collect::<Vec<_>>().join("; "))
        }
        Value::Array(_) | Value::Object(_) => value.to_string(),
    }
}

/// The signs that a spreadsheet takes for the beginning of a formula, including their wide and small forms.
const FORMULA_SIGNS: [char; 12] = ['=', '+', '-', '@', '＝', '＋', '－', '＠', '﹦', '﹢', '﹣', '﹫'];

/// Returns a text that a spreadsheet does not take for a formula (OWASP, CSV Injection), whatever blank or invisible
/// characters precede the sign.
pub fn harmless_cell(text: String) -> String {
    let starts_oddly = text.starts_with(['\t', '\r', '\n']);
    let visible = text.trim_start_matches(|c: char| c.is_whitespace() || c.is_control() || is_invisible(c));
    if starts_oddly || visible.starts_with(FORMULA_SIGNS) { format!("'{text}") } else { text }
}

/// Returns whether a character has no width, so that a spreadsheet may drop it: soft hyphen, zero-width and direction
/// marks, the byte order mark.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2060}'..='\u{206f}' | '\u{feff}')
}

/// Returns one line. Every cell is quoted: a spreadsheet that takes `;` for the separator must not find one within a
/// text.
fn line(cells: impl IntoIterator<Item = String>) -> ApiResult<Bytes> {
    let mut writer = csv::WriterBuilder::new()
        .quote_style(csv::QuoteStyle::Always)
        .terminator(csv::Terminator::CRLF)
        .from_writer(Vec::new());
    writer.write_record(cells).map_err(ApiError::internal)?;
    let written = writer.into_inner().map_err(|error| ApiError::internal(error.to_string()))?;
    Ok(written.into())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_spreadsheet_takes_a_cell_for_a_formula() {
        let cases = [
            (json!(null), ""),
            (json!(true), "true"),
            (json!(-12.5), "-12.5"),
            (json!("Asha"), "Asha"),
            (json!("=1+1"), "'=1+1"),
            (json!("+919876543210"), "'+919876543210"),
            (json!("-2"), "'-2"),
            (json!("@sum"), "'@sum"),
            (json!("\tx"), "'\tx"),
            (json!("\rx"), "'\rx"),
            (json!("＝1+1"), "'＝1+1"),
            (json!("＋91"), "'＋91"),
            (json!("－2"), "'－2"),
            (json!("＠sum"), "'＠sum"),
            (json!(" =1+1"), "' =1+1"),
            (json!("\u{3000}=1"), "'\u{3000}=1"),
            (json!("\u{200b}\u{feff}=1"), "'\u{200b}\u{feff}=1"),
            (json!("\u{1}@x"), "'\u{1}@x"),
            (json!(" 12 - 4"), " 12 - 4"),
            (json!("a=1"), "a=1"),
            (json!(["two_wheeler", "commercial"]), "two_wheeler; commercial"),
            (json!(["=x"]), "'=x"),
            (json!([]), ""),
            (json!([1, 2]), "[1,2]"),
            (json!({"a": 1}), "{\"a\":1}"),
        ];
        for (value, expected) in cases {
            assert_eq!(cell(&value), expected, "{value}");
        }
    }

    #[test]
    fn a_line_can_be_read_back_whatever_its_cells_hold() {
        let cells = ["plain", "with, comma", "with \"quotes\"", "two\r\nlines", ""].map(str::to_owned);
        let text = line(cells.clone()).expect("a line");
        assert!(text.ends_with(b"\r\n"));
        let mut reader = csv::ReaderBuilder::new().has_headers(false).from_reader(text.as_ref());
        let record = reader.records().next().expect("one").expect("well-formed");
        assert_eq!(record.iter().collect::<Vec<_>>(), cells);
    }
}
