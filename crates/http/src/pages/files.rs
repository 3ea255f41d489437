//! The files of the apps. A program that was built for release contains them (`main.rs`). Any other program reads the folder
//! `web/dist` with each request, so that a reload shows the newest build.

use std::{
    borrow::Cow,
    collections::HashMap,
    io,
    path::{Path, PathBuf},
    time::SystemTime,
};

use actix_web::http::header::EntityTag;
use bytes::Bytes;

use crate::etag_of;

/// The folder into which `script/web` builds.
const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../../web/dist");
/// The ending of the compressed copy that the build adds if it is smaller.
const COMPRESSED: &str = ".br";

/// The files of the apps, by their names below `web/dist`.
#[derive(Debug)]
pub enum AppFiles {
    BuiltIn(HashMap<Cow<'static, str>, AppFile>),
    Folder(PathBuf),
}

/// A file as it is sent.
#[derive(Debug, Clone)]
pub struct AppFile {
    pub bytes: Bytes,
    /// Each form of a file has a different tag.
    pub etag: EntityTag,
    pub is_brotli: bool,
}

impl Default for AppFiles {
    /// Returns the files in the folder of the checkout that this was compiled in.
    fn default() -> Self {
        Self::Folder(PathBuf::from(FOLDER))
    }
}

impl AppFiles {
    /// Keeps files that are part of the program, given by their names below `web/dist`.
    pub fn built_in<Name: Into<Cow<'static, str>>>(
        files: impl IntoIterator<Item = (Name, Cow<'static, [u8]>)>,
    ) -> Self {
        let file = |(name, bytes): (Name, Cow<'static, [u8]>)| {
            let (name, etag) = (name.into(), etag_of(&bytes));
            let bytes = match bytes {
                Cow::Borrowed(bytes) => Bytes::from_static(bytes),
                Cow::Owned(bytes) => bytes.into(),
            };
            let is_brotli = name.ends_with(COMPRESSED);
            (name, AppFile { bytes, etag, is_brotli })
        };
        Self::BuiltIn(files.into_iter().map(file).collect())
    }

    /// Finds the file of that name, compressed if the client can read that and there is such a copy.
    pub async fn find(&self, name: &str, brotli: bool) -> io::Result<Option<AppFile>> {
        if !is_name(name) {
            return Ok(None);
        }
        if brotli && let Some(compressed) = self.read(&format!("{name}{COMPRESSED}")).await? {
            return Ok(Some(compressed));
        }
        self.read(name).await
    }

    /// Says how to get the apps if they are missing; `None` if they exist.
    pub async fn missing(&self) -> Option<&'static str> {
        match self {
            Self::BuiltIn(files) if files.is_empty() => {
                Some("This build has no web apps. Run ./script/web, then build the service again.")
            }
            Self::Folder(folder) if !tokio::fs::try_exists(folder.join("home")).await.unwrap_or_default() => {
                Some("The web apps are not built yet. Run ./script/web, then reload.")
            }
            _ => None,
        }
    }

    async fn read(&self, name: &str) -> io::Result<Option<AppFile>> {
        match self {
            Self::BuiltIn(files) => Ok(files.get(name).cloned()),
            Self::Folder(folder) => read_file(&folder.join(name), name.ends_with(COMPRESSED)).await,
        }
    }
}

/// Finds a file of another folder.
pub(super) async fn file_in(folder: &Path, name: &str) -> io::Result<Option<AppFile>> {
    if !is_name(name) {
        return Ok(None);
    }
    read_file(&folder.join(name), false).await
}

async fn read_file(path: &Path, is_brotli: bool) -> io::Result<Option<AppFile>> {
    let read = async {
        let about = tokio::fs::metadata(path).await?;
        if !about.is_file() {
            return Err(io::Error::from(io::ErrorKind::NotFound));
        }
        Ok((about, tokio::fs::read(path).await?))
    };
    match read.await {
        Ok((about, bytes)) => {
            let etag = file_etag(&about, is_brotli)?;
            Ok(Some(AppFile { bytes: bytes.into(), etag, is_brotli }))
        }
        Err(error) if [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory].contains(&error.kind()) => {
            Ok(None)
        }
        Err(error) => Err(error),
    }
}

/// Makes the tag from the time and the size, which differ after a change.
pub(super) fn file_etag(about: &std::fs::Metadata, is_brotli: bool) -> io::Result<EntityTag> {
    let since = about.modified()?.duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
    let form = if is_brotli { "-br" } else { "" };
    Ok(EntityTag::new_strong(format!("{:x}-{:x}{form}", since.as_nanos(), about.len())))
}

/// Returns whether this can be the name of an app's file: not hidden, not above the folder, and not a file that only the build
/// uses.
fn is_name(name: &str) -> bool {
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~@+, ".contains(&byte);
    let is_part = |part: &str| !part.is_empty() && !part.starts_with('.') && part.bytes().all(is_plain);
    name.len() <= 255 && name.split('/').all(is_part) && !name.ends_with(COMPRESSED)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[actix_web::test]
    async fn built_in_files_are_found_in_the_form_that_the_client_reads() {
        let files = AppFiles::built_in([
            ("home/index.html", Cow::Borrowed(&b"page"[..])),
            ("home/index.html.br", Cow::Borrowed(b"small")),
            ("home/a.txt", Cow::Owned(b"a".to_vec())),
        ]);
        let found = async |name: &str, brotli: bool| files.find(name, brotli).await.expect("no reading");
        let (plain, small) = (found("home/index.html", false).await, found("home/index.html", true).await);
        let (plain, small) = (plain.expect("a page"), small.expect("a page"));
        assert_eq!((&plain.bytes[..], plain.is_brotli), (&b"page"[..], false));
        assert_eq!((&small.bytes[..], small.is_brotli), (&b"small"[..], true));
        assert_ne!(plain.etag, small.etag);
        assert!(found("home/a.txt", true).await.is_some_and(|file| !file.is_brotli));
        assert!(
            found("home/index.html.br", false).await.is_none() && found("home/b.txt", true).await.is_none()
        );
        assert_eq!(files.missing().await, None);
        assert!(
            AppFiles::built_in::<&str>([]).missing().await.is_some_and(|how| how.contains("./script/web"))
        );
    }

    #[test]
    fn only_files_below_the_folder_have_a_name() {
        let good = [
            "home/index.html",
            "customer/assets/index-a1B_2.js",
            "console/glyphs/Noto Sans Regular/0-255.pbf",
        ];
        for name in good {
            assert!(is_name(name), "{name}");
        }
        let bad = [
            "",
            "home/",
            "/etc/passwd",
            "home/../../secret",
            "..",
            "home/.hidden",
            "home//a",
            "home/a\\b",
            "home/a\0",
            "home/%2e%2e",
            "home/index.html.br",
            "home/é",
        ];
        for name in bad {
            assert!(!is_name(name), "{name}");
        }
        assert!(!is_name(&"a".repeat(256)));
    }
}
