//! The operator's own name, colour and icons in the apps.

use std::{io, path::PathBuf};

use roadcall_platform::settings::{Color, CoreSettings};

use super::{
    colors::Style,
    files::{AppFile, AppFiles, file_in},
};
use crate::etag_of;

/// The service's name in the built pages.
const WRITTEN: &str = "Roadcall";
/// The folder below the data folder with files that replace those in each app's `icons/`.
const FOLDER: &str = "icons";

/// The name, the colour and the icons that the apps have here.
#[derive(Debug)]
pub(super) struct Branding {
    brand: String,
    style: Option<Style>,
    icons: PathBuf,
}

impl Branding {
    pub fn of(settings: &CoreSettings) -> Self {
        Self {
            brand: settings.operator.brand.clone(),
            style: Color::parse(&settings.operator.color).map(Style::of),
            icons: settings.server.data_dir.join(FOLDER),
        }
    }

    pub fn style(&self) -> Option<&Style> {
        self.style.as_ref()
    }

    /// Finds the file of that name as this operator's customers see it.
    pub async fn find(&self, files: &AppFiles, name: &str, brotli: bool) -> io::Result<Option<AppFile>> {
        let Some(kind) = Kind::of(name) else { return files.find(name, brotli).await };
        if let Kind::Icon(icon) = kind {
            let found = files.find(name, brotli).await?;
            // No other file of the folder is ever sent.
            return match (&found, file_in(&self.icons, icon).await?) {
                (Some(_), Some(own)) => Ok(Some(own)),
                _ => Ok(found),
            };
        }
        let is_as_built = self.brand == WRITTEN && (self.style.is_none() || matches!(kind, Kind::Manifest));
        if is_as_built {
            return files.find(name, brotli).await;
        }
        let Some(file) = files.find(name, false).await? else { return Ok(None) };
        let written = String::from_utf8_lossy(&file.bytes);
        let text = match kind {
            Kind::Manifest => written.replace(WRITTEN, &in_json(&self.brand)),
            _ => {
                let named = written.replace(WRITTEN, &in_html(&self.brand));
                match &self.style {
                    Some(style) => named.replacen("</head>", &format!("{}</head>", style.tag()), 1),
                    None => named,
                }
            }
        };
        let bytes = text.into_bytes();
        Ok(Some(AppFile { etag: etag_of(&bytes), bytes: bytes.into(), is_brotli: false }))
    }
}

/// The kinds of files that can differ between operators.
#[derive(Debug, Clone, Copy)]
enum Kind<'a> {
    Page,
    Manifest,
    Icon(&'a str),
}

impl<'a> Kind<'a> {
    fn of(name: &'a str) -> Option<Self> {
        let mut parts = name.split('/').skip(1);
        match (parts.next(), parts.next(), parts.next()) {
            (Some(FOLDER), Some(icon), None) => Some(Self::Icon(icon)),
            (Some(file), None, None) if file.ends_with(".html") => Some(Self::Page),
            (Some(file), None, None) if file.ends_with(".webmanifest") => Some(Self::Manifest),
            _ => None,
        }
    }
}

/// Escapes a part of a text, also for an attribute.
fn in_html(text: &str) -> String {
    text.chars().fold(String::with_capacity(text.len()), |mut escaped, character| {
        match character {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            other => escaped.push(other),
        }
        escaped
    })
}

/// Escapes a part of a JSON text. The settings refuse control characters.
fn in_json(text: &str) -> String {
    text.replace('\\', "\\\\").replace('"', "\\\"")
}

#[cfg(test)]
mod tests {
    use std::borrow::Cow;

    use super::*;

    #[actix_web::test]
    async fn only_pages_and_manifests_have_the_operators_name() {
        let files = AppFiles::built_in([
            ("customer/index.html", Cow::Borrowed(&b"<title>Roadcall</title>"[..])),
            ("customer/index.html.br", Cow::Borrowed(b"small")),
            ("customer/manifest.webmanifest", Cow::Borrowed(b"{\"name\":\"Roadcall\"}")),
            ("customer/assets/index.js", Cow::Borrowed(b"'Roadcall'")),
        ]);
        let branding =
            |brand: &str| Branding { brand: brand.to_owned(), style: None, icons: PathBuf::from("/nowhere") };
        let own = branding("Bell & \"Sons\"");
        let read = async |branding: &Branding, name: &str| {
            let file = branding.find(&files, name, true).await.expect("no reading").expect("a file");
            (String::from_utf8_lossy(&file.bytes).into_owned(), file.is_brotli)
        };
        let page = read(&own, "customer/index.html").await;
        assert_eq!(page, ("<title>Bell &amp; &quot;Sons&quot;</title>".to_owned(), false));
        let manifest = read(&own, "customer/manifest.webmanifest").await;
        assert_eq!(manifest.0, r#"{"name":"Bell & \"Sons\""}"#);
        assert_eq!(read(&own, "customer/assets/index.js").await.0, "'Roadcall'");
        assert_eq!(read(&branding("Roadcall"), "customer/index.html").await, ("small".to_owned(), true));
        let etag = async |brand: &str| {
            let found = branding(brand).find(&files, "customer/index.html", false).await;
            found.expect("no reading").expect("a page").etag
        };
        assert_ne!(etag("One").await, etag("Two").await);
    }

    #[actix_web::test]
    async fn an_icon_of_the_operator_replaces_an_existing_one() {
        let icons = std::env::temp_dir().join(format!("roadcall-icons-{}", std::process::id()));
        std::fs::create_dir_all(&icons).expect("a temporary folder");
        std::fs::write(icons.join("icon.svg"), "<svg/>").expect("written");
        std::fs::write(icons.join("other.svg"), "<svg/>").expect("written");
        let ours = |name: &'static str| (name, Cow::Borrowed(&b"ours"[..]));
        let files = AppFiles::built_in([ours("home/icons/icon.svg"), ours("home/icons/icon-192.png")]);
        let branding = Branding { brand: "Roadcall".to_owned(), style: None, icons: icons.clone() };
        let read = async |name: &str| {
            let found = branding.find(&files, name, true).await.expect("no failure");
            found.map(|file| String::from_utf8_lossy(&file.bytes).into_owned())
        };
        assert_eq!(read("home/icons/icon.svg").await.as_deref(), Some("<svg/>"));
        assert_eq!(read("home/icons/icon-192.png").await.as_deref(), Some("ours"));
        assert_eq!(read("home/icons/other.svg").await, None);
        std::fs::remove_dir_all(icons).expect("removed");
    }
}
