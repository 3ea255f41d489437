//! Closed lists of words, the same on the wire and in rows.

use utoipa::openapi::{
    RefOr,
    schema::{ObjectBuilder, Schema, Type},
};

/// An enum of words: read from JSON and query strings (an unknown word is named with the accepted ones), shown in
/// JSON, described in the OpenAPI document, and stored as `text` in rows.
// The word is a `tt`: a `literal` would reach the derive for the document as a group, which it overlooks.
#[macro_export]
macro_rules! text_enum {
    ($(#[$attribute:meta])* $name:ident { $($(#[$doc:meta])* $variant:ident = $text:tt,)* }) => {
        #[derive(
            Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, deserr::Deserr, serde::Deserialize, serde::Serialize,
            utoipa::ToSchema,
        )]
        $(#[$attribute])*
        pub enum $name { $($(#[$doc])* #[deserr(rename = $text)] #[serde(rename = $text)] $variant,)* }

        impl $name {
            /// Every value, in the order of the documents.
            pub const ALL: &'static [$name] = &[$($name::$variant,)*];

            /// Returns the word on the wire and in rows.
            pub fn as_str(self) -> &'static str {
                match self { $($name::$variant => $text,)* }
            }

            pub fn parse(text: &str) -> Option<Self> {
                Self::ALL.iter().copied().find(|value| value.as_str() == text)
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl std::str::FromStr for $name {
            type Err = String;

            fn from_str(text: &str) -> Result<Self, String> {
                Self::parse(text).ok_or_else(|| format!("must be one of {}", [$($text),*].join(", ")))
            }
        }

        impl $crate::ListParam for $name {
            fn from_text(text: &str) -> Result<Self, String> {
                text.parse()
            }

            fn param_schema() -> utoipa::openapi::RefOr<utoipa::openapi::Schema> {
                $crate::schema_of::<Self>()
            }
        }

        impl sqlx::Type<sqlx::Postgres> for $name {
            fn type_info() -> sqlx::postgres::PgTypeInfo {
                <str as sqlx::Type<sqlx::Postgres>>::type_info()
            }

            fn compatible(kind: &sqlx::postgres::PgTypeInfo) -> bool {
                <str as sqlx::Type<sqlx::Postgres>>::compatible(kind)
            }
        }

        impl sqlx::postgres::PgHasArrayType for $name {
            fn array_type_info() -> sqlx::postgres::PgTypeInfo {
                <String as sqlx::postgres::PgHasArrayType>::array_type_info()
            }
        }

        impl<'q> sqlx::Encode<'q, sqlx::Postgres> for $name {
            fn encode_by_ref(
                &self,
                buffer: &mut sqlx::postgres::PgArgumentBuffer,
            ) -> Result<sqlx::encode::IsNull, sqlx::error::BoxDynError> {
                <&str as sqlx::Encode<sqlx::Postgres>>::encode_by_ref(&self.as_str(), buffer)
            }
        }

        impl<'r> sqlx::Decode<'r, sqlx::Postgres> for $name {
            fn decode(value: sqlx::postgres::PgValueRef<'r>) -> Result<Self, sqlx::error::BoxDynError> {
                let text = <&str as sqlx::Decode<'r, sqlx::Postgres>>::decode(value)?;
                Self::parse(text).ok_or_else(|| format!("{text} is no {}", stringify!($name)).into())
            }
        }
    };
}

/// Describes text that is always one of `names`, whatever types they come from.
pub fn closed_list(
    names: impl IntoIterator<Item = &'static str>,
    description: &'static str,
) -> RefOr<Schema> {
    let text = ObjectBuilder::new().schema_type(Type::String).enum_values(Some(names));
    text.description(Some(description)).into()
}
