//! The query strings of lists, read when the handler asks for them: the parameters of the filter, and those of the page.

use std::{
    future::{Ready, ready},
    marker::PhantomData,
};

use actix_web::{FromRequest, HttpRequest, dev::Payload};
use roadcall_platform::error::{ApiError, ApiResult};
use utoipa::{
    IntoParams,
    openapi::path::{Parameter, ParameterIn},
};

use super::{FieldDoc, FilterField, ListFilter, ListFormat, PageParams, SentParams, params::all_pairs};

/// The query string of a list with pages: the parameters of `F`, `page` and `limit`. A handler names it in its signature
/// and in its `params`.
#[derive(Debug)]
pub struct ListQuery<F> {
    text: String,
    of: PhantomData<F>,
}

impl<F: ListFilter> ListQuery<F> {
    /// Returns the parameters as they were sent.
    pub fn pairs(&self) -> Vec<(String, String)> {
        all_pairs(&self.text)
    }

    /// Returns the filter and the page, or 422 with every fault.
    pub fn read(&self) -> ApiResult<(F, PageParams)> {
        let mut sent = SentParams::read(&self.text)?;
        let read = (F::from_sent(&mut sent), PageParams::from_sent(&mut sent));
        sent.finish()?;
        Ok(read)
    }
}

impl<F: ListFilter> IntoParams for ListQuery<F> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        [F::parameters(), PageParams::parameters()].concat()
    }
}

impl<F> FromRequest for ListQuery<F> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, _: &mut Payload) -> Self::Future {
        ready(Ok(Self { text: request.query_string().to_owned(), of: PhantomData }))
    }
}

/// The query string of a list that is also exported: the parameters of `F`, `format`, `page` and `limit`.
#[derive(Debug)]
pub struct ExportQuery<F>(ListQuery<F>);

impl<F: ListFilter> ExportQuery<F> {
    /// Returns the parameters as they were sent.
    pub fn pairs(&self) -> Vec<(String, String)> {
        self.0.pairs()
    }

    /// Returns the filter, the format and the page, or 422 with every fault.
    pub fn read(&self) -> ApiResult<(F, ListFormat, PageParams)> {
        let mut sent = SentParams::read(&self.0.text)?;
        let filter = F::from_sent(&mut sent);
        let format = sent.once("format").unwrap_or(ListFormat::Json);
        let page = PageParams::from_sent(&mut sent);
        sent.finish()?;
        Ok((filter, format, page))
    }
}

impl<F: ListFilter> IntoParams for ExportQuery<F> {
    fn into_params(_: impl Fn() -> Option<ParameterIn>) -> Vec<Parameter> {
        let comment = ["csv: all rows, without pages"];
        let format = FieldDoc::new("format", &comment, Some("json".into()));
        [F::parameters(), Option::<ListFormat>::parameters(format), PageParams::parameters()].concat()
    }
}

impl<F> FromRequest for ExportQuery<F> {
    type Error = ApiError;
    type Future = Ready<Result<Self, ApiError>>;

    fn from_request(request: &HttpRequest, payload: &mut Payload) -> Self::Future {
        ready(ListQuery::<F>::from_request(request, payload).into_inner().map(Self))
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::{Between, SearchText, list_filter, text_enum};

    text_enum! {
        /// A colour.
        Color { Red = "red", Blue = "blue", }
    }

    list_filter! {
        /// The filter of a list of cars.
        CarFilter {
            /// Only these colours; all if
            /// none is given.
            colors as "color": Vec<Color> = ["red"],
            is_new: Option<bool> = false,
            q: SearchText,
            /// Built in this time.
            built: Between,
        }
    }

    fn query(text: &str) -> ExportQuery<CarFilter> {
        ExportQuery(ListQuery { text: text.to_owned(), of: PhantomData })
    }

    #[test]
    fn a_list_is_read_with_its_filter_its_format_and_its_page() {
        let text = "color=red,blue&color=red&is_new=true&from=2026-03-01T00:00:00Z&format=csv&page=2&limit=5";
        let (filter, format, page) = query(text).read().expect("valid");
        assert_eq!(filter.colors, [Color::Red, Color::Blue, Color::Red]);
        assert_eq!((filter.is_new, filter.q), (Some(true), SearchText::default()));
        assert!(filter.built.0.is_some() && filter.built.1.is_none());
        assert_eq!((format, page), (ListFormat::Csv, PageParams { page: 2, limit: 5 }));
        let (filter, format, page) = query("").read().expect("valid");
        assert!(filter.colors.is_empty() && filter.is_new.is_none());
        assert_eq!((format, page), (ListFormat::Json, PageParams { page: 1, limit: 20 }));
    }

    #[test]
    fn every_fault_of_a_list_is_named_at_once() {
        let text = "color=red,green&is_new=yes&q=x&from=2026-03-02T00:00:00Z&to=2026-03-01T00:00:00Z&built=now\
            &format=pdf&page=0&page=1&limit=101";
        let refused = query(text).read().expect_err("faults");
        let faults: Vec<(&str, &str)> =
            refused.errors.iter().map(|(field, why)| (field.as_str(), why[0].as_str())).collect();
        let expected = [
            ("built", "is not a known field"),
            ("color", "must be one of red, blue"),
            ("format", "must be one of json, csv"),
            ("is_new", "must be true or false"),
            ("limit", "must be 1 to 100"),
            ("page", "must be given once"),
            ("q", "must have 2 to 100 characters, not 1"),
            ("to", "must be after from"),
        ];
        assert_eq!(faults, expected);
    }

    #[test]
    fn the_document_has_the_parameters_of_the_filter_and_of_the_page() {
        let parameters = json!(ExportQuery::<CarFilter>::into_params(|| None));
        let shown: Vec<_> = parameters.as_array().into_iter().flatten().collect();
        let names: Vec<_> = shown.iter().map(|parameter| &parameter["name"]).collect();
        assert_eq!(names, ["color", "is_new", "q", "from", "to", "format", "page", "limit"]);
        let colors = json!({
            "name": "color", "in": "query", "required": false,
            "description": "Only these colours; all if none is given", "example": ["red"],
            "schema": {"type": "array", "items": {"$ref": "#/components/schemas/Color"}},
        });
        assert_eq!(shown[0], &colors);
        assert_eq!(
            (&shown[1]["description"], &shown[1]["schema"]),
            (&json!(null), &json!({"type": "boolean"}))
        );
        assert_eq!(shown[3]["description"], "Built from this time on");
        assert_eq!(shown[4]["description"], "Built before this time");
        let page = json!({"type": "integer", "format": "int64", "minimum": 1, "maximum": 1_000_000});
        assert_eq!(shown[6]["schema"], page);
    }
}
