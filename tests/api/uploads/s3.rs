//! A store that speaks S3: s3s, which checks every signature, on a port of its own.

use std::{
    fs,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU32, Ordering},
};

use chrono::TimeDelta;
use futures_util::future::join_all;
use hyper::server::conn::http1;
use hyper_util::rt::TokioIo;
use reqwest::StatusCode;
use roadcall::{
    accounts::uploads,
    service::settings::{Secret, Settings, StorageProvider},
};
use roadcall_actors::clock::Clock;
use s3s::{auth::SimpleAuth, service::S3ServiceBuilder};
use serde_json::json;
use sha2::{Digest, Sha256};
use tokio::{net::TcpListener, task::JoinSet};

use crate::support::{
    Person, TestApp,
    bodies::set,
    spawn_app_at, spawn_app_with,
    uploads::{Announced, announcement, photo, presigned, presigned_as},
};

const BUCKET: &str = "roadcall-files";

/// The store. It ends with the test.
pub struct Store {
    port: u16,
    folder: PathBuf,
    connections: tokio::task::JoinHandle<()>,
}

impl Store {
    pub async fn start() -> Self {
        static NUMBER: AtomicU32 = AtomicU32::new(0);
        let number = NUMBER.fetch_add(1, Ordering::Relaxed);
        let folder = std::env::temp_dir().join(format!("roadcall-s3-{}-{number}", std::process::id()));
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(folder.join(BUCKET)).unwrap();
        let mut builder = S3ServiceBuilder::new(s3s_fs::FileSystem::new(&folder).unwrap());
        builder.set_auth(SimpleAuth::from_single("AKIAROADCALL", "a secret key"));
        let service = builder.build();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let connections = tokio::spawn(async move {
            let mut open = JoinSet::new();
            while let Ok((socket, _)) = listener.accept().await {
                let connection =
                    http1::Builder::new().serve_connection(TokioIo::new(socket), service.clone());
                open.spawn(async move { connection.await.ok() });
            }
        });
        Self { port, folder, connections }
    }

    fn settings(&self, settings: &mut Settings) {
        settings.uploads.provider = StorageProvider::S3;
        settings.uploads.endpoint = format!("http://127.0.0.1:{}", self.port);
        settings.uploads.path_style = true;
        settings.uploads.bucket = BUCKET.to_owned();
        settings.uploads.access_key_id = "AKIAROADCALL".to_owned();
        settings.uploads.secret_access_key = Secret("a secret key".to_owned());
    }

    /// Returns the keys of all objects.
    pub fn objects(&self) -> Vec<String> {
        let bucket = self.folder.join(BUCKET);
        let below = walkdir::WalkDir::new(&bucket).sort_by_file_name().into_iter().map(Result::unwrap);
        let files = below.filter(|entry| entry.file_type().is_file());
        let key = |path: &Path| path.strip_prefix(&bucket).unwrap().display().to_string();
        files.map(|entry| key(entry.path())).collect()
    }

    /// Stops listening and closes all connections.
    async fn die(&mut self) {
        self.connections.abort();
        (&mut self.connections).await.ok();
    }
}

impl Drop for Store {
    fn drop(&mut self) {
        self.connections.abort();
        fs::remove_dir_all(&self.folder).ok();
    }
}

pub async fn service(store: &Store) -> TestApp {
    spawn_app_with(|settings| store.settings(settings)).await
}

/// Starts a store, and the service that uses it; returns them with a customer.
pub async fn stored() -> (Store, TestApp, Person) {
    let store = Store::start().await;
    let app = service(&store).await;
    let owner = app.customer().await;
    (store, app, owner)
}

/// Sends bytes to the link with a client other than ours.
pub async fn put(upload: &Announced, content_type: &str, bytes: &[u8]) -> StatusCode {
    let url = upload.answer["url"].as_str().unwrap();
    let request = reqwest::Client::new().put(url).header("content-type", content_type).body(bytes.to_vec());
    request.send().await.unwrap().status()
}

#[actix_web::test]
async fn a_photo_goes_to_the_store_and_comes_back() {
    let (store, app, owner) = stored().await;
    let bytes = photo();
    let upload = presigned(&owner, "document", &bytes).await;
    assert_eq!(upload.answer["headers"], json!({"content-type": "image/jpeg", "content-length": "3012"}));
    let url = upload.answer["url"].as_str().unwrap();
    assert!(url.contains("X-Amz-SignedHeaders=content-length%3Bcontent-type%3Bhost"), "{url}");
    upload.complete(&owner).await.refused(409, "CONFLICT");
    assert_eq!(put(&upload, "image/jpeg", &bytes).await, 200);
    assert_eq!(store.objects(), [format!("incoming/{}", upload.id)]);
    let shown = upload.complete(&owner).await.expect(200);
    assert_eq!(upload.complete(&owner).await.expect(200), shown, "once more");
    let objects = store.objects();
    assert!(objects.len() == 1 && objects[0].starts_with(&format!("files/{}-", upload.id)), "{objects:?}");

    let admin = app.admin().await;
    let answer = admin.get(&upload.path("/file")).await;
    let link = answer.header("location").unwrap().to_owned();
    let fetched = reqwest::get(&link).await.unwrap();
    assert_eq!(
        (fetched.status(), &fetched.headers()["content-type"]),
        (StatusCode::OK, &"image/jpeg".parse().unwrap())
    );
    assert!(fetched.bytes().await.unwrap() == bytes);
    let forged = match link.strip_suffix('0') {
        Some(rest) => format!("{rest}1"),
        None => format!("{}0", &link[..link.len() - 1]),
    };
    for spoiled in [link.replace("X-Amz-Expires=", "X-Amz-Expires=6"), forged] {
        assert_ne!(link, spoiled);
        assert_eq!(reqwest::get(&spoiled).await.unwrap().status(), 403, "the store looks at signatures");
    }
    // Links to the service itself are refused.
    let path = upload.path(&format!("/content?expires=9999999999&signature={}", "0".repeat(64)));
    app.anonymous().get(&path).await.refused(401, "SIGNATURE_INVALID");
}

#[actix_web::test]
async fn a_file_that_differs_from_its_announcement_is_refused_by_the_store_or_removed() {
    let (store, _app, owner) = stored().await;
    let bytes = photo();
    let digest = hex::encode(Sha256::digest(&bytes));
    let body = set(&announcement("avatar", &bytes), "sha256", json!(digest));
    let plain = presigned(&owner, "avatar", &bytes).await;
    let digested = presigned_as(&owner, body).await;
    for upload in [&plain, &digested] {
        assert_eq!(put(upload, "image/jpeg", &bytes[1..]).await, 403, "another length");
        assert_eq!(put(upload, "text/html", &bytes).await, 403, "another type");
        upload.complete(&owner).await.refused(409, "CONFLICT");
        let page = [b"<html><script>".as_slice(), &bytes[14..]].concat();
        assert_eq!(put(upload, "image/jpeg", &page).await, 200, "the store looks at no bytes");
        upload.complete(&owner).await.refused_field("content_type");
        assert_eq!(store.objects(), Vec::<String>::new());
    }
    let mut changed = bytes.clone();
    changed[2000] ^= 1;
    assert_eq!(put(&digested, "image/jpeg", &changed).await, 200);
    digested.complete(&owner).await.refused_field("sha256");
    assert_eq!(store.objects(), Vec::<String>::new());
    for upload in [&plain, &digested] {
        assert_eq!(put(upload, "image/jpeg", &bytes).await, 200, "sent again");
        upload.complete(&owner).await.expect(200);
    }
}

#[actix_web::test]
async fn using_the_link_again_does_not_change_the_stored_file() {
    let (_store, _app, owner) = stored().await;
    let bytes = photo();
    let upload = presigned(&owner, "avatar", &bytes).await;
    assert_eq!(put(&upload, "image/jpeg", &bytes).await, 200);
    upload.complete(&owner).await.expect(200);
    let page = [b"<html><script>".as_slice(), &bytes[14..]].concat();
    assert_eq!(put(&upload, "image/jpeg", &page).await, 200);
    upload.complete(&owner).await.expect(200);
    let link = owner.get(&upload.path("/link")).await.expect(200);
    let fetched = reqwest::get(link["url"].as_str().unwrap()).await.unwrap();
    assert!(fetched.bytes().await.unwrap() == bytes);
}

#[actix_web::test]
async fn simultaneous_completions_store_an_upload_once() {
    let store = Store::start().await;
    let app = spawn_app_with(|settings| {
        store.settings(settings);
        settings.server.workers = 4;
    })
    .await;
    let (owner, bytes) = (app.customer().await, photo());
    let upload = presigned(&owner, "avatar", &bytes).await;
    assert_eq!(put(&upload, "image/jpeg", &bytes).await, 200);
    let answers = join_all((0..8).map(|_| upload.complete(&owner))).await;
    let statuses: Vec<u16> = answers.iter().map(|answer| answer.status).collect();
    assert!(statuses.contains(&200), "{statuses:?}");
    assert!(statuses.iter().all(|status| [200, 409].contains(status)), "{statuses:?}");
    assert_eq!(store.objects().len(), 1);
    upload.complete(&owner).await.expect(200);
}

#[actix_web::test]
async fn an_upload_link_expires() {
    let store = Store::start().await;
    // The store uses the machine's clock, by which the service made the link two minutes ago.
    let earlier = Clock::system().now() - TimeDelta::minutes(2);
    for (ttl_s, status) in [(3600, 200_u16), (60, 403)] {
        let app = spawn_app_at(earlier, |settings| {
            store.settings(settings);
            settings.uploads.put_link_ttl_s = ttl_s;
        })
        .await;
        let (owner, bytes) = (app.customer().await, photo());
        let upload = presigned(&owner, "avatar", &bytes).await;
        assert_eq!(put(&upload, "image/jpeg", &bytes).await, status, "{ttl_s}");
    }
}

#[actix_web::test]
async fn an_unavailable_or_refusing_store_is_reported_and_nothing_is_lost() {
    let (mut store, mut app, owner) = stored().await;
    let bytes = photo();
    let upload = presigned(&owner, "avatar", &bytes).await;
    assert_eq!(put(&upload, "image/jpeg", &bytes).await, 200);
    let token = owner.token().unwrap().to_owned();

    app.restart_with(|settings| settings.uploads.secret_access_key = Secret("another".to_owned())).await;
    let owner = app.anonymous().with_token(&token);
    upload.complete(&owner).await.refused(502, "PROVIDER_ERROR");

    app.restart_with(|settings| store.settings(settings)).await;
    let owner = app.anonymous().with_token(&token);
    upload.complete(&owner).await.expect(200);
    let late = presigned(&owner, "avatar", &bytes).await;
    assert_eq!(put(&late, "image/jpeg", &bytes).await, 200);
    store.die().await;
    late.complete(&owner).await.refused(503, "UNAVAILABLE");
    // Announcements and links do not use the store.
    presigned(&owner, "avatar", &bytes).await;
    owner.get(&upload.path("/link")).await.expect(200);

    // An upload that was to be deleted while the store was away is removed once it is back, and shown to nobody meanwhile.
    let sql = "update uploads set status = 'deleting' where id = $1::uuid";
    sqlx::query(sql).bind(&upload.id).execute(&app.database.db).await.unwrap();
    let swept = uploads::sweep(&app.service.uploads, 100).await;
    assert!(swept.is_err_and(|error| error.code.as_str() == "UNAVAILABLE"));
    owner.get(&upload.path("/link")).await.refused(404, "NOT_FOUND");
    assert_eq!(store.objects().len(), 2);
}

#[actix_web::test]
async fn deleted_uploads_leave_nothing_in_the_store() {
    let (store, app, owner) = stored().await;
    let bytes = photo();
    let (kept, forgotten) =
        (presigned(&owner, "avatar", &bytes).await, presigned(&owner, "avatar", &bytes).await);
    for upload in [&kept, &forgotten] {
        assert_eq!(put(upload, "image/jpeg", &bytes).await, 200);
    }
    kept.complete(&owner).await.expect(200);
    let sql = "update uploads set created_at = created_at - interval '25 hours'";
    app.change(sql, &[]).await;
    assert_eq!(uploads::sweep(&app.service.uploads, 100).await.unwrap(), 1);
    assert_eq!(store.objects().len(), 1, "what was never completed");
    owner.delete("/users/me").await.expect(204);
    assert_eq!(store.objects(), Vec::<String>::new(), "the avatar of a deleted account");
}

#[actix_web::test]
async fn files_of_the_data_folder_stay_readable_after_a_move_to_s3() {
    let store = Store::start().await;
    let mut app = spawn_app_with(|_| {}).await;
    let owner = app.customer().await;
    let old = crate::support::uploads::uploaded(&owner, "avatar", &photo()).await;
    app.restart_with(|settings| store.settings(settings)).await;
    let owner = app.anonymous().with_token(owner.token().unwrap());
    let path = old.link_path(&owner).await;
    app.anonymous().get(&path).await.expect(200);
    let new = presigned(&owner, "avatar", &photo()).await;
    assert_eq!(put(&new, "image/jpeg", &photo()).await, 200);
    new.complete(&owner).await.expect(200);
}
