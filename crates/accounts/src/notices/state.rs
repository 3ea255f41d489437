use roadcall_http::text_enum;

text_enum! {
    /// The languages of privacy notices (ISO 639).
    NoticeLanguage { English = "en", Hindi = "hi", Kannada = "kn", }
}

text_enum! {
    /// The kinds of acts of consent.
    ConsentKind { Given = "given", Withdrawn = "withdrawn", }
}
