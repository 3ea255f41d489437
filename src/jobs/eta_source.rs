use roadcall_actors::eta;
use sqlx::{
    Decode, Postgres, Type,
    error::BoxDynError,
    postgres::{PgTypeInfo, PgValueRef},
};

/// Where an ETA comes from, as stored in rows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EtaSource(pub &'static str);

impl Type<Postgres> for EtaSource {
    fn type_info() -> PgTypeInfo {
        <str as Type<Postgres>>::type_info()
    }

    fn compatible(column: &PgTypeInfo) -> bool {
        <str as Type<Postgres>>::compatible(column)
    }
}

impl<'r> Decode<'r, Postgres> for EtaSource {
    fn decode(value: PgValueRef<'r>) -> Result<Self, BoxDynError> {
        let text = <&str as Decode<Postgres>>::decode(value)?;
        let known = eta::source_named(text).map(Self);
        known.ok_or_else(|| format!("{text:?} is none of {}", eta::SOURCES.join(", ")).into())
    }
}
