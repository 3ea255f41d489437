//! Lists and pages, as in contract 2.1.

use serde::Serialize;
use utoipa::{ToSchema, openapi::path::Parameter};

use super::{FieldDoc, FilterField, SentParams, WholeNumber};

/// A whole list: `{data}`.
#[derive(Debug, Serialize, ToSchema)]
pub struct List<T> {
    pub data: Vec<T>,
}

/// One page of a list: `{data, page, limit, total}`.
#[derive(Debug, Serialize, ToSchema)]
pub struct Page<T> {
    pub data: Vec<T>,
    /// The number of the page, from 1.
    #[schema(example = 1)]
    pub page: i64,
    /// The number of items on a full page.
    #[schema(example = 20)]
    pub limit: i64,
    /// The number of items on all pages.
    #[schema(example = 1)]
    pub total: i64,
}

/// The last page that can be requested, full or not.
pub const MAX_PAGE: i64 = 1_000_000;
/// The number of items on a page if the caller asks for no other number.
pub const DEFAULT_LIMIT: i64 = 20;
/// The most items on a page.
pub const MAX_LIMIT: i64 = 100;

/// The requested page: `page` from 1 (default 1), `limit` 1 to 100 (default 20); other values are refused, not
/// clamped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageParams {
    pub page: i64,
    pub limit: i64,
}

/// The types of `page` and `limit`.
type PageNumber = WholeNumber<1, MAX_PAGE>;
type Limit = WholeNumber<1, MAX_LIMIT>;

impl PageParams {
    /// Takes both parameters out of those that were sent.
    pub(super) fn from_sent(sent: &mut SentParams) -> Self {
        let page = sent.once::<PageNumber>("page");
        let limit = sent.once::<Limit>("limit");
        Self { page: page.map_or(1, |page| page.0), limit: limit.map_or(DEFAULT_LIMIT, |limit| limit.0) }
    }

    /// Returns both parameters. The document describes them by rule.
    pub(super) fn parameters() -> Vec<Parameter> {
        let doc = |name| FieldDoc::new(name, &[], None);
        [Option::<PageNumber>::parameters(doc("page")), Option::<Limit>::parameters(doc("limit"))].concat()
    }

    pub fn offset(self) -> i64 {
        (self.page - 1) * self.limit
    }

    /// Returns the number of items on all pages, which are counted only if this page does not show it. A count may end early, but never
    /// before the page's own items.
    pub async fn total<E>(self, items: usize, count: impl Future<Output = Result<i64, E>>) -> Result<i64, E> {
        let items = i64::try_from(items).unwrap_or(i64::MAX);
        let is_last = items < self.limit && (items > 0 || self.page == 1);
        let seen = if items > 0 { self.offset() + items } else { 0 };
        if is_last { Ok(seen) } else { Ok(count.await?.max(seen)) }
    }

    pub fn of<T>(self, data: Vec<T>, total: i64) -> Page<T> {
        Page { data, page: self.page, limit: self.limit, total }
    }
}

#[cfg(test)]
mod tests {
    use std::convert::Infallible;

    use super::*;

    #[tokio::test]
    async fn a_total_is_counted_only_if_the_page_does_not_show_it() {
        for (page, items, total) in
            [(1, 0, 0), (1, 19, 19), (1, 20, 77), (2, 0, 77), (2, 1, 21), (3, 20, 77), (3, 19, 59)]
        {
            let params = PageParams { page, limit: 20 };
            let shown = params.total(items, async { Ok::<_, Infallible>(77) }).await;
            assert_eq!(shown, Ok(total), "{items} items on page {page}");
        }
        let beyond = PageParams { page: 4, limit: 20 };
        let shown = beyond.total(20, async { Ok::<_, Infallible>(77) }).await;
        assert_eq!(shown, Ok(80), "the count ended early");
    }
}
