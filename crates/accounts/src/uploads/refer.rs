//! The file URLs that a body may hold. Only this module turns a client's URL into one that may be stored.

use std::marker::PhantomData;

use roadcall_http::ValidationErrors;
use roadcall_platform::{
    core::Core,
    error::{ApiError, ApiResult},
    settings::CoreSettings,
};
use sqlx::PgExecutor;
use url::Url;
use uuid::Uuid;

use super::{
    dto::{FileUrl, UploadPurpose},
    queries,
};

/// The purpose of a file. The type that stores a URL names it, so that a document can't take the place of a photo.
pub trait FilePurpose {
    /// The purposes that are accepted.
    const ACCEPTED: &'static [UploadPurpose];
}

macro_rules! purposes {
    ($($(#[$doc:meta])* $name:ident = [$($accepted:ident),+];)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum $name {}

        impl FilePurpose for $name {
            const ACCEPTED: &'static [UploadPurpose] = &[$(UploadPurpose::$accepted),+];
        }
    )+};
}

purposes! {
    /// A photo of a job or of a line item.
    JobPhotoFile = [JobPhoto];
    DocumentFile = [Document];
    AvatarFile = [Avatar];
    ChatFile = [Chat];
    /// A photo of a job may be evidence, too.
    EvidenceFile = [Evidence, JobPhoto];
    /// An icon is seen by everybody, as an avatar is.
    IconFile = [Avatar];
}

/// The URL of a file that its sender may refer to for `P`. Only [`refer`] makes one, and only its URL may be stored.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileRef<P> {
    url: String,
    purpose: PhantomData<P>,
}

impl<P> FileRef<P> {
    pub fn into_url(self) -> String {
        self.url
    }
}

/// Returns the URLs of a list with the fields by which errors name them: `photo_urls[0]` …
pub fn numbered(field: &str, urls: impl IntoIterator<Item = FileUrl>) -> Vec<(String, FileUrl)> {
    urls.into_iter().enumerate().map(|(index, url)| (format!("{field}[{index}]"), url)).collect()
}

/// Accepts a single URL as [`refer`] does: 422 if it is refused.
pub async fn refer_one<P: FilePurpose>(
    db: impl PgExecutor<'_>,
    context: &Core,
    user_id: Uuid,
    field: &str,
    url: FileUrl,
) -> ApiResult<FileRef<P>> {
    let mut errors = ValidationErrors::default();
    let file = refer(db, context, user_id, vec![(field.to_owned(), url)], &mut errors).await?.pop();
    errors.into_result()?;
    file.ok_or_else(|| ApiError::internal("a file URL was neither accepted nor refused"))
}

/// Returns the accepted URLs in their order, and adds a fault for each of the others. A URL of ours must be a
/// complete upload of `user_id` for this purpose, any other must be https on a host of `uploads.allowed_hosts`
/// (development accepts every host), so that this service does not send people to a stranger's server. Accepted
/// uploads count as referred to from now on. Executes one statement at most, in `db`'s transaction if it is one.
pub async fn refer<P: FilePurpose>(
    db: impl PgExecutor<'_>,
    context: &Core,
    user_id: Uuid,
    urls: Vec<(String, FileUrl)>,
    errors: &mut ValidationErrors,
) -> ApiResult<Vec<FileRef<P>>> {
    // The host does not matter: server.public_url may have been another when the upload was made.
    let shaped = urls.iter().filter(|(_, url)| is_shaped_as_ours(url)).map(|(_, url)| url.0.clone());
    let shaped: Vec<String> = shaped.collect();
    let own = match shaped.is_empty() {
        true => Vec::new(),
        false => queries::refer(db, user_id, &shaped, context.clock.now()).await?,
    };
    let mut accepted = Vec::with_capacity(urls.len());
    for (field, url) in urls {
        let fault = match own.iter().find(|(file_url, _)| url.is(file_url)) {
            Some((_, purpose)) => wrong_purpose::<P>(*purpose),
            None => refusal(&context.settings, &url).map(str::to_owned),
        };
        match fault {
            Some(why) => errors.add(field, why),
            None => accepted.push(FileRef { url: url.0, purpose: PhantomData }),
        }
    }
    Ok(accepted)
}

fn wrong_purpose<P: FilePurpose>(purpose: UploadPurpose) -> Option<String> {
    let wanted: Vec<&str> = P::ACCEPTED.iter().map(|purpose| purpose.as_str()).collect();
    let is_wanted = P::ACCEPTED.contains(&purpose);
    (!is_wanted).then(|| format!("was uploaded for {purpose}; upload it again for {}", wanted.join(" or ")))
}

/// Returns the reason why a URL that is no upload of the caller's is refused; `None` if it is accepted.
fn refusal(settings: &CoreSettings, url: &FileUrl) -> Option<&'static str> {
    let (Ok(given), Ok(public)) = (Url::parse(&url.0), Url::parse(&settings.server.public_url)) else {
        return Some("must be an absolute URL");
    };
    if given.origin() == public.origin() {
        Some("is not the file_url of a complete upload of yours")
    } else if given.scheme() != "https" {
        Some("must be an https URL without credentials")
    } else if settings.is_production() && !is_listed(settings, url) {
        Some("must be on a host that this service accepts files from")
    } else {
        None
    }
}

fn is_listed(settings: &CoreSettings, url: &FileUrl) -> bool {
    let hosts = &settings.file_hosts;
    url.host().is_some_and(|host| hosts.iter().any(|allowed| allowed.eq_ignore_ascii_case(&host)))
}

/// Returns whether a URL ends with `/uploads/{id}/file`: only then it is worth a query.
fn is_shaped_as_ours(url: &FileUrl) -> bool {
    let mut segments = url.0.rsplit('/');
    let ends = segments.next() == Some("file");
    let id = segments.next().and_then(|id| id.parse::<Uuid>().ok());
    ends && id.is_some() && segments.next() == Some("uploads")
}

#[cfg(test)]
mod tests {
    use roadcall_platform::settings::{Environment, testing::default_core};

    use super::*;

    const ID: &str = "019ceb76-f000-7b20-9e32-6d1f5aab5a01";

    fn settings(environment: Environment, public_url: &str) -> CoreSettings {
        let mut settings = default_core();
        settings.environment = environment;
        settings.server.public_url = public_url.to_owned();
        settings.file_hosts = vec!["files.example".to_owned()];
        settings
    }

    /// Returns whether a URL that is not in the table is accepted.
    fn is_accepted(settings: &CoreSettings, url: &str) -> bool {
        FileUrl::new(url.to_owned()).is_ok_and(|url| refusal(settings, &url).is_none())
    }

    #[test]
    fn production_accepts_files_of_listed_hosts_alone() {
        let settings = settings(Environment::Production, "https://api.example/base/");
        for url in ["https://files.example/a.pdf", "https://FILES.example/a.pdf", "HTTPS://files.example"] {
            assert!(is_accepted(&settings, url), "{url}");
        }
        let refused = [
            &format!("https://api.example/base/uploads/{ID}/file"),
            &format!("https://evil.example/uploads/{ID}/file"),
            "https://api.example/",
            "https://files.example.evil.example/a.pdf",
            "https://evil.example/https://files.example/a.pdf",
            "http://files.example/a.pdf",
            "http://169.254.169.254/latest/meta-data",
            "https://169.254.169.254/latest/meta-data",
            "https://[::1]/",
            "https://localhost/",
            "https://2130706433/",
            "https://files.example@evil.example/",
            "https://user:key@files.example/a",
            "file:///etc/passwd",
            "gopher://files.example/",
        ];
        for url in refused {
            assert!(!is_accepted(&settings, url), "{url}");
        }
    }

    #[test]
    fn development_accepts_every_https_host() {
        let settings = settings(Environment::Development, "http://127.0.0.1:8080");
        assert!(is_accepted(&settings, "https://anywhere.example/a.pdf"));
        let unknown = format!("http://127.0.0.1:8080/uploads/{ID}/file");
        for url in [unknown.as_str(), "http://anywhere.example/a.pdf", "http://127.0.0.1:8081/a.pdf"] {
            assert!(!is_accepted(&settings, url), "{url}");
        }
    }

    #[test]
    fn a_text_that_is_no_web_address_is_refused() {
        for url in ["", "x", "ftp://a.example/", "https://", "https://u:p@a.example/", "javascript:alert(1)"]
        {
            assert!(FileUrl::new(url.to_owned()).is_err(), "{url}");
        }
    }

    #[test]
    fn only_urls_in_the_form_of_an_upload_are_looked_up() {
        for (url, expected) in [
            (format!("https://api.example/base/uploads/{ID}/file"), true),
            (format!("http://127.0.0.1:8080/uploads/{ID}/file"), true),
            (format!("https://api.example/uploads/{ID}/file?x=1"), false),
            (format!("https://api.example/uploads/{ID}/file#x"), false),
            (format!("https://api.example/uploads/{ID}/content"), false),
            (format!("https://api.example/{ID}/file"), false),
            ("https://api.example/uploads/../file".to_owned(), false),
        ] {
            let url = FileUrl::new(url).expect("a URL");
            assert_eq!(is_shaped_as_ours(&url), expected, "{url:?}");
        }
    }
}
