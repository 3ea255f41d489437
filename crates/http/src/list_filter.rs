//! The parameters by which a list is narrowed. `list_filter!` declares each once: for the query string, for the
//! statement, and for the OpenAPI document.

use std::collections::BTreeMap;

use chrono::{DateTime, Utc};
use roadcall_platform::error::ApiResult;
use serde_json::Value;
use utoipa::{
    ToSchema,
    openapi::{
        KnownFormat, ObjectBuilder, Ref, RefOr, Required, Schema, SchemaFormat, Type,
        path::{Parameter, ParameterBuilder, ParameterIn},
        schema::ArrayBuilder,
    },
};
use uuid::Uuid;

use super::{
    Flag, Id, SearchText, Text, Timestamp, ValidationErrors, Whole, WholeNumber, params::pairs, read::shown,
};

/// The first moment of a period, and the first moment after it; `None` on a side without an end.
pub type Between = (Option<DateTime<Utc>>, Option<DateTime<Utc>>);

/// The filter of a list. `list_filter!` implements it.
pub trait ListFilter: Clone + 'static {
    /// Takes the filter's parameters out of those that were sent.
    fn from_sent(sent: &mut SentParams) -> Self;

    /// Returns the filter's parameters, in the order of its fields.
    fn parameters() -> Vec<Parameter>;
}

/// The filter of a list that nothing narrows.
#[derive(Debug, Clone)]
pub struct NoFilter;

impl ListFilter for NoFilter {
    fn from_sent(_: &mut SentParams) -> Self {
        Self
    }

    fn parameters() -> Vec<Parameter> {
        Vec::new()
    }
}

/// Declares the filter of a list: a struct with public fields that implements [`ListFilter`].
///
/// ```ignore
/// list_filter! {
///     /// The filter of the list of tows.
///     TowFilter {
///         /// All if not given.
///         status: Option<TowStatus> = "open",
///         /// Handed over in this time.
///         made: Between,
///     }
/// }
/// ```
///
/// A parameter has the name of its field, or the one after `as`. The field's comment, without its full stop, is the
/// parameter's description in the document, and the value after `=` its example. A field without a comment has the
/// usual description of its name (`openapi/prose.rs`).
#[macro_export]
macro_rules! list_filter {
    ($(#[doc = $about:literal])* $filter:ident {
        $($(#[doc = $doc:literal])* $field:ident $(as $name:literal)?: $type:ty $(= $example:expr)?,)*
    }) => {
        $(#[doc = $about])*
        #[derive(Debug, Clone, Default)]
        pub struct $filter { $($(#[doc = $doc])* pub $field: $type,)* }

        impl $crate::ListFilter for $filter {
            fn from_sent(sent: &mut $crate::SentParams) -> Self {
                Self {
                    $($field: $crate::FilterField::from_sent(
                        $crate::list_filter!(@name $field $($name)?),
                        sent,
                    ),)*
                }
            }

            fn parameters() -> Vec<utoipa::openapi::path::Parameter> {
                let fields = [$(<$type as $crate::FilterField>::parameters(
                    $crate::FieldDoc::new(
                        $crate::list_filter!(@name $field $($name)?),
                        &[$($doc),*],
                        $crate::list_filter!(@example $($example)?),
                    ),
                )),*];
                fields.into_iter().flatten().collect()
            }
        }
    };
    (@name $field:ident) => { stringify!($field) };
    (@name $field:ident $name:literal) => { $name };
    (@example) => { None };
    (@example $example:expr) => { Some(serde_json::Value::from($example)) };
}

/// The parameters of a query string that nothing has taken yet, and the faults of those that were taken.
#[derive(Debug)]
pub struct SentParams {
    left: BTreeMap<String, Vec<String>>,
    faults: ValidationErrors,
}

impl SentParams {
    pub(super) fn read(query: &str) -> Result<Self, ValidationErrors> {
        let mut left: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (name, value) in pairs(query.as_bytes())? {
            left.entry(name.into_owned()).or_default().push(value.into_owned());
        }
        Ok(Self { left, faults: ValidationErrors::default() })
    }

    /// Takes a parameter that may be given once.
    pub fn once<T: ListParam>(&mut self, name: &str) -> Option<T> {
        let read = match self.left.remove(name)?.as_slice() {
            [text] => T::from_text(text),
            _ => Err("must be given once".to_owned()),
        };
        read.map_err(|why| self.faults.add(name, why)).ok()
    }

    /// Takes a parameter that accepts several values: separated by commas, or the parameter repeated, or both.
    pub fn several<T: ListParam>(&mut self, name: &str) -> Vec<T> {
        let given = self.left.remove(name).unwrap_or_default();
        let parts = given.iter().flat_map(|text| text.split(','));
        let read: Result<Vec<T>, String> = parts.map(|part| T::from_text(part.trim())).collect();
        read.unwrap_or_else(|why| {
            self.faults.add(name, why);
            Vec::new()
        })
    }

    /// Records a fault.
    pub fn refuse(&mut self, name: &str, why: &str) {
        self.faults.add(name, why);
    }

    /// Returns `Ok` if there was no fault, and every parameter was taken.
    pub(super) fn finish(self) -> ApiResult<()> {
        let Self { left, mut faults } = self;
        left.keys().for_each(|name| faults.add(shown(name), "is not a known field"));
        faults.into_result()
    }
}

/// The documentation of a filter's field.
#[derive(Debug)]
pub struct FieldDoc {
    name: &'static str,
    description: Option<String>,
    example: Option<Value>,
}

impl FieldDoc {
    /// Returns the documentation of a field with a comment of these lines.
    pub fn new(name: &'static str, comment: &[&str], example: Option<Value>) -> Self {
        let comment = comment.iter().map(|line| line.trim()).collect::<Vec<_>>().join(" ");
        let description = comment.strip_suffix('.').unwrap_or(&comment);
        let description = (!description.is_empty()).then(|| description.to_owned());
        Self { name, description, example }
    }

    fn of(self, schema: RefOr<Schema>) -> Parameter {
        ParameterBuilder::new()
            .name(self.name)
            .parameter_in(ParameterIn::Query)
            .description(self.description)
            .required(Required::False)
            .example(self.example)
            .schema(Some(schema))
            .build()
    }
}

/// The type of a filter's field.
pub trait FilterField: Sized {
    /// Takes the field's parameters out of those that were sent.
    fn from_sent(name: &str, sent: &mut SentParams) -> Self;

    /// Returns the field's parameters: one, unless the type says otherwise.
    fn parameters(doc: FieldDoc) -> Vec<Parameter>;
}

impl<T: ListParam> FilterField for Option<T> {
    fn from_sent(name: &str, sent: &mut SentParams) -> Self {
        sent.once(name)
    }

    fn parameters(doc: FieldDoc) -> Vec<Parameter> {
        vec![doc.of(T::param_schema())]
    }
}

/// Values of which a row has one; rows with any value fit an empty list.
impl<T: ListParam> FilterField for Vec<T> {
    fn from_sent(name: &str, sent: &mut SentParams) -> Self {
        sent.several(name)
    }

    fn parameters(doc: FieldDoc) -> Vec<Parameter> {
        vec![doc.of(ArrayBuilder::new().items(T::param_schema()).into())]
    }
}

impl FilterField for SearchText {
    fn from_sent(name: &str, sent: &mut SentParams) -> Self {
        Self::of(sent.once(name))
    }

    fn parameters(doc: FieldDoc) -> Vec<Parameter> {
        vec![doc.of(Text::<2, 100>::param_schema())]
    }
}

/// The words with which a period's comment ends, and which the descriptions of its two ends replace.
const IN_THIS_TIME: &str = " in this time";

/// A period has two parameters, `from` and `to`, whatever the field's name. `/// Made in this time.` describes them as
/// "Made from this time on" and "Made before this time".
impl FilterField for Between {
    fn from_sent(_: &str, sent: &mut SentParams) -> Self {
        let (from, to) = (sent.once::<Timestamp>("from"), sent.once::<Timestamp>("to"));
        if from.zip(to).is_some_and(|(from, to)| from >= to) {
            sent.refuse("to", "must be after from");
        }
        let at = |end: Option<Timestamp>| end.map(|Timestamp(at)| at);
        (at(from), at(to))
    }

    fn parameters(doc: FieldDoc) -> Vec<Parameter> {
        let what = doc.description.as_deref();
        let what = what.map(|what| what.strip_suffix(IN_THIS_TIME).unwrap_or(what));
        let end = |name, alone: &str, words: &str, example: &str| FieldDoc {
            name,
            description: Some(what.map_or_else(|| alone.to_owned(), |what| format!("{what} {words}"))),
            example: Some(Value::from(example)),
        };
        vec![
            end("from", "From this time on", "from this time on", "2026-03-01T00:00:00Z")
                .of(Timestamp::param_schema()),
            end("to", "Before this time", "before this time", "2026-04-01T00:00:00Z")
                .of(Timestamp::param_schema()),
        ]
    }
}

/// A value of a list's parameter.
pub trait ListParam: Sized {
    /// Reads the value; returns the reason if the text is no such value.
    fn from_text(text: &str) -> Result<Self, String>;

    /// Returns the value's schema in the document.
    fn param_schema() -> RefOr<Schema>;
}

/// Returns the reference to a type's schema.
pub fn schema_of<T: ToSchema>() -> RefOr<Schema> {
    Ref::from_schema_name(T::name()).into()
}

impl ListParam for Uuid {
    fn from_text(text: &str) -> Result<Self, String> {
        text.parse::<Id>().map(|id| id.0).map_err(str::to_owned)
    }

    fn param_schema() -> RefOr<Schema> {
        let text = ObjectBuilder::new().schema_type(Type::String);
        text.format(Some(SchemaFormat::KnownFormat(KnownFormat::Uuid))).into()
    }
}

impl ListParam for bool {
    fn from_text(text: &str) -> Result<Self, String> {
        text.parse::<Flag>().map(|flag| flag.0).map_err(str::to_owned)
    }

    fn param_schema() -> RefOr<Schema> {
        ObjectBuilder::new().schema_type(Type::Boolean).into()
    }
}

impl ListParam for Timestamp {
    fn from_text(text: &str) -> Result<Self, String> {
        text.parse()
    }

    fn param_schema() -> RefOr<Schema> {
        schema_of::<Self>()
    }
}

impl<const MIN: usize, const MAX: usize> ListParam for Text<MIN, MAX> {
    fn from_text(text: &str) -> Result<Self, String> {
        Self::new(text.to_owned()).map_err(|why| why.0)
    }

    fn param_schema() -> RefOr<Schema> {
        schema_of::<Self>()
    }
}

impl<const MIN: i64, const MAX: i64> ListParam for WholeNumber<MIN, MAX> {
    fn from_text(text: &str) -> Result<Self, String> {
        let number = text.parse::<Whole>().map_err(str::to_owned)?;
        Self::new(number.0).map_err(|why| why.0)
    }

    fn param_schema() -> RefOr<Schema> {
        let number = ObjectBuilder::new().schema_type(Type::Integer);
        let number = number.format(Some(SchemaFormat::KnownFormat(KnownFormat::Int64)));
        number.minimum(Some(MIN)).maximum(Some(MAX)).into()
    }
}
