use crate::http::text_enum;

text_enum! {
    /// A language that a privacy notice is written in (ISO 639).
    NoticeLanguage { English = "en", Hindi = "hi", Kannada = "kn", }
}

text_enum! {
    /// What a person did about the privacy notice.
    ConsentKind { Given = "given", Withdrawn = "withdrawn", }
}
