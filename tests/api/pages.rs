//! The web apps as the service serves them.

use std::{
    env, fs,
    path::{Path, PathBuf},
    process,
    sync::Arc,
};

use reqwest::{Method, header::HeaderMap, redirect::Policy};
use roadcall::{
    app::StartOptions,
    pages::AppFiles,
    service::settings::{GatewayProvider, Settings, StorageProvider},
};
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::{TestApp, plain_http, spawn_app_as, spawn_app_behind_as, within};

/// The `Accept` header that Chrome sends for a page.
const BROWSER: &str = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8";

/// A folder of built apps that is removed with the test. A secret lies next to it.
pub struct Apps(PathBuf);

impl Apps {
    /// Makes only the apps that the service knows by name, and a few files of other kinds.
    pub fn new(name: &str) -> Self {
        let apps = Self::empty(name);
        for app in ["home", "customer", "mechanic", "console", "partners"] {
            apps.write(&format!("{app}/index.html"), &format!("<!doctype html><title>{app}</title>"));
        }
        apps.write("customer/share.html", "<!doctype html><title>a shared job</title>");
        apps.write("customer/sw.js", "self.skipWaiting()");
        apps.write("customer/manifest.webmanifest", "{}");
        apps.write("customer/assets/index-B7dKq2.js", "console.log('plain')");
        // This is not really Brotli, so that no decoder can hide the sent bytes.
        apps.write("customer/assets/index-B7dKq2.js.br", "compressed");
        for file in ["worker-x1.mjs", "map-x2.wasm", "face-x3.woff2", "words-x4.json", "look-x5.css"] {
            apps.write(&format!("console/assets/{file}"), "content");
        }
        apps.write("console/glyphs/Noto Sans Regular/0-255.pbf", "glyphs");
        apps.write("console/.inputs", "of the build");
        apps
    }

    pub fn empty(name: &str) -> Self {
        let folder = env::temp_dir().join(format!("roadcall-pages-{name}-{}", process::id()));
        fs::remove_dir_all(&folder).ok();
        fs::create_dir_all(folder.join("dist")).unwrap();
        fs::write(folder.join("secret.txt"), "the secret").unwrap();
        Self(folder)
    }

    fn write(&self, name: &str, content: &str) {
        let path = self.0.join("dist").join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }

    /// Makes the apps like [`Apps::new`], and serves them.
    async fn served(name: &str) -> (Self, TestApp) {
        let apps = Self::new(name);
        let app = apps.serve().await;
        (apps, app)
    }

    pub async fn serve(&self) -> TestApp {
        self.serve_with(|_| {}).await
    }

    pub async fn serve_with(&self, alter: impl FnOnce(&mut Settings)) -> TestApp {
        spawn_app_as(alter, self.options()).await
    }

    fn options(&self) -> StartOptions {
        StartOptions { apps: Arc::new(AppFiles::Folder(self.0.join("dist"))), ..StartOptions::default() }
    }
}

impl Drop for Apps {
    fn drop(&mut self) {
        fs::remove_dir_all(Path::new(&self.0)).ok();
    }
}

/// A raw answer: the tests' usual client follows redirects.
struct Got {
    status: u16,
    headers: HeaderMap,
    text: String,
}

impl Got {
    fn header(&self, name: &str) -> &str {
        self.headers.get(name).map_or("", |value| value.to_str().unwrap())
    }
}

async fn ask(app: &TestApp, method: Method, path: &str, headers: &[(&str, &str)]) -> Got {
    let http = plain_http().redirect(Policy::none()).build().unwrap();
    let request = http.request(method, format!("http://{}{path}", app.address));
    let request = headers.iter().fold(request, |request, (name, value)| request.header(*name, *value));
    let response = within("an answer", request.send()).await.unwrap();
    let (status, headers) = (response.status().as_u16(), response.headers().clone());
    Got { status, headers, text: response.text().await.unwrap() }
}

async fn get(app: &TestApp, path: &str, headers: &[(&str, &str)]) -> Got {
    ask(app, Method::GET, path, headers).await
}

#[actix_web::test]
async fn a_browser_is_redirected_to_the_apps_and_a_program_gets_json() {
    let (_apps, app) = Apps::served("root").await;
    let page = get(&app, "/", &[("accept", BROWSER)]).await;
    assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"));
    assert!(page.text.contains("<title>home"), "{}", page.text);
    assert_eq!(page.header("vary"), "accept, accept-encoding");
    for accept in ["*/*", "application/json", "application/json, text/html;q=0.9", "no, type"] {
        let refused = get(&app, "/", &[("accept", accept)]).await;
        assert_eq!((refused.status, refused.header("content-type")), (404, "application/json"), "{accept}");
        assert_eq!(refused.header("vary"), "accept");
        for said in ["There is no such route.", "/docs/", "/openapi.json"] {
            assert!(refused.text.contains(said), "{said}: {}", refused.text);
        }
    }
    app.anonymous().get("/").await.refused(404, "NOT_FOUND");
    for path in ["/api/v1/home/", "/api/v1/customer/", "/api/v1/"] {
        assert_eq!(
            get(&app, path, &[("accept", BROWSER)]).await.status,
            404,
            "{path} is the interface's alone"
        );
    }
}

#[actix_web::test]
async fn paths_within_an_app_show_its_page_and_files_are_served() {
    let (_apps, app) = Apps::served("paths").await;
    for (path, title) in [
        ("/home/", "home"),
        ("/customer/", "customer"),
        ("/customer/jobs/0190-7", "customer"),
        ("/mechanic/offers", "mechanic"),
        ("/console/jobs?status=open", "console"),
        ("/console/jobs/", "console"),
        ("/partners/cases/0190-7", "partners"),
    ] {
        let page = get(&app, path, &[]).await;
        assert_eq!((page.status, page.header("content-type")), (200, "text/html; charset=utf-8"), "{path}");
        assert!(page.text.contains(&format!("<title>{title}<")), "{path}: {}", page.text);
    }
    for app_name in ["home", "customer", "mechanic", "console", "partners"] {
        let to = get(&app, &format!("/{app_name}?lang=kn"), &[]).await;
        assert_eq!((to.status, to.header("location")), (308, &*format!("{app_name}/?lang=kn")));
    }
    for (path, content_type) in [
        ("/customer/sw.js", "text/javascript; charset=utf-8"),
        ("/customer/manifest.webmanifest", "application/manifest+json"),
        ("/console/assets/worker-x1.mjs", "text/javascript; charset=utf-8"),
        ("/console/assets/map-x2.wasm", "application/wasm"),
        ("/console/assets/face-x3.woff2", "font/woff2"),
        ("/console/assets/words-x4.json", "application/json"),
        ("/console/assets/look-x5.css", "text/css; charset=utf-8"),
        ("/console/glyphs/Noto%20Sans%20Regular/0-255.pbf", "application/x-protobuf"),
    ] {
        let file = get(&app, path, &[]).await;
        assert_eq!((file.status, file.header("content-type")), (200, content_type), "{path}");
        assert_eq!(file.header("x-content-type-options"), "nosniff");
    }
    for path in ["/customer/assets/gone-a1.js", "/customer/favicon.ico", "/home/no/such/page", "/customers/"]
    {
        app.anonymous().get(path).await.refused(404, "NOT_FOUND");
    }
    let refused = app.anonymous().post("/customer/", json!({})).await;
    assert_eq!(refused.header("allow"), Some("GET"));
    refused.refused(405, "METHOD_NOT_ALLOWED");
}

#[actix_web::test]
async fn hashed_files_are_cached_for_ever_and_pages_are_revalidated() {
    let (apps, app) = Apps::served("caching").await;
    let hashed = get(&app, "/customer/assets/index-B7dKq2.js", &[]).await;
    assert_eq!(hashed.header("cache-control"), "public, max-age=31536000, immutable");
    assert_eq!((hashed.header("vary"), hashed.header("content-encoding")), ("accept-encoding", ""));
    assert_eq!(hashed.text, "console.log('plain')");
    for path in ["/", "/customer/", "/customer/sw.js", "/customer/manifest.webmanifest"] {
        let first = get(&app, path, &[("accept", BROWSER)]).await;
        assert_eq!(first.header("cache-control"), "no-cache", "{path}");
        let etag = first.header("etag").to_owned();
        for given in [etag.clone(), format!("W/{etag}"), format!("\"other\", {etag}"), "*".to_owned()] {
            let again = get(&app, path, &[("accept", BROWSER), ("if-none-match", &given)]).await;
            assert_eq!((again.status, again.text.as_str()), (304, ""), "{path} {given}");
            assert_eq!((again.header("etag"), again.header("cache-control")), (&*etag, "no-cache"));
        }
        let other = get(&app, path, &[("accept", BROWSER), ("if-none-match", "\"other\"")]).await;
        assert_eq!((other.status, other.text == first.text), (200, true));
    }
    let before = get(&app, "/customer/sw.js", &[]).await.header("etag").to_owned();
    apps.write("customer/sw.js", "self.skipWaiting() // changed");
    let changed = get(&app, "/customer/sw.js", &[("if-none-match", &before)]).await;
    assert_eq!((changed.status, changed.text.as_str()), (200, "self.skipWaiting() // changed"));
}

#[actix_web::test]
async fn a_client_that_reads_brotli_gets_the_compressed_form() {
    let (_apps, app) = Apps::served("brotli").await;
    let path = "/customer/assets/index-B7dKq2.js";
    let plain = get(&app, path, &[("accept-encoding", "gzip")]).await;
    for (accepts, encoding, text) in [
        ("gzip, deflate, br", "br", "compressed"),
        ("br;q=1.0, gzip;q=0.8", "br", "compressed"),
        ("br;q=0, identity", "", "console.log('plain')"),
        ("identity", "", "console.log('plain')"),
        ("nonsense;;q", "", "console.log('plain')"),
    ] {
        let file = get(&app, path, &[("accept-encoding", accepts)]).await;
        assert_eq!((file.header("content-encoding"), file.text.as_str()), (encoding, text), "{accepts}");
        assert_eq!(file.header("content-type"), "text/javascript; charset=utf-8");
        assert_eq!(file.header("vary"), "accept-encoding");
        assert_eq!(
            file.header("etag") == plain.header("etag"),
            encoding.is_empty(),
            "each form has its own tag"
        );
    }
    let uncompressed = get(&app, "/customer/sw.js", &[("accept-encoding", "br")]).await;
    assert_eq!((uncompressed.header("content-encoding"), uncompressed.status), ("", 200));
    app.anonymous().get(&format!("{path}.br")).await.refused(404, "NOT_FOUND");
}

#[actix_web::test]
async fn head_answers_like_get_without_the_body() {
    let (_apps, app) = Apps::served("head").await;
    for path in ["/", "/customer/jobs", "/customer/assets/index-B7dKq2.js"] {
        let whole = get(&app, path, &[("accept", BROWSER)]).await;
        let head = ask(&app, Method::HEAD, path, &[("accept", BROWSER)]).await;
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
        for name in ["content-length", "content-type", "etag", "cache-control", "vary"] {
            assert_eq!(head.header(name), whole.header(name), "{path} {name}");
        }
    }
}

#[actix_web::test]
async fn every_spelling_of_a_path_stays_in_the_folder() {
    let (_apps, app) = Apps::served("traversal").await;
    let raw = async |path: &str| {
        let mut stream = TcpStream::connect(app.address).await.unwrap();
        let request = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(request.as_bytes()).await.unwrap();
        let mut answer = String::new();
        within("an answer", stream.read_to_string(&mut answer)).await.unwrap();
        answer
    };
    assert!(raw("/customer/sw.js").await.starts_with("HTTP/1.1 200"), "the request itself is sound");
    for path in [
        "/customer/../../secret.txt",
        "/customer/%2e%2e/%2e%2e/secret.txt",
        "/customer/..%2f..%2fsecret.txt",
        "/customer/..%5c..%5csecret.txt",
        "/customer//../../secret.txt",
        "/customer/%252e%252e/%252e%252e/secret.txt",
        "/customer/assets/../../../secret.txt",
        "/console/.inputs",
        "/console/%2einputs",
        "/customer/sw.js%00",
        "/customer/sw.js/",
        "/customer/assets/index-B7dKq2.js/x.js",
        "//customer/sw.js",
    ] {
        let answer = raw(path).await;
        assert!(!answer.contains("the secret") && !answer.contains("of the build"), "{path}: {answer}");
        let refused = ["HTTP/1.1 404", "HTTP/1.1 400"].iter().any(|status| answer.starts_with(status));
        // A path without an extension is a place within the app: its page, and nothing else.
        assert!(refused || answer.contains("<title>customer<"), "{path}: {answer}");
    }
}

#[actix_web::test]
async fn pages_load_nothing_from_other_sites_and_cannot_be_framed() {
    let (apps, app) = Apps::served("headers").await;
    for path in ["/", "/customer/", "/console/jobs", "/customer/sw.js"] {
        let page = get(&app, path, &[("accept", BROWSER)]).await;
        let policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; font-src 'self'; \
            connect-src 'self'; worker-src 'self'; manifest-src 'self'; media-src 'self' blob:; form-action 'self'; \
            base-uri 'none'; frame-ancestors 'none'";
        let permissions = "geolocation=(self), camera=(self), microphone=(self), screen-wake-lock=(self)";
        for (name, expected) in [
            ("content-security-policy", policy),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("x-content-type-options", "nosniff"),
            ("permissions-policy", permissions),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(page.header(name), expected, "{path} {name}");
        }
    }
    // A page's policies cover the files that it loads; a file's own policies only concern its answer.
    let part = get(&app, "/customer/assets/index-B7dKq2.js", &[]).await;
    for (name, expected) in [
        ("content-security-policy", "default-src 'none'; frame-ancestors 'none'"),
        ("referrer-policy", "no-referrer"),
        ("x-content-type-options", "nosniff"),
        ("permissions-policy", ""),
    ] {
        assert_eq!(part.header(name), expected, "{name}");
    }
    let app = apps
        .serve_with(|settings| {
            settings.gateway.provider = GatewayProvider::Razorpay;
            settings.uploads.provider = StorageProvider::S3;
            settings.uploads.endpoint = "https://s3.example".to_owned();
            settings.uploads.bucket = "files".to_owned();
        })
        .await;
    let page = get(&app, "/customer/", &[]).await;
    let policy = page.header("content-security-policy");
    for part in [
        "script-src 'self' https://checkout.razorpay.com;",
        "img-src 'self' data: blob: https://files.s3.example ",
        "connect-src 'self' https://files.s3.example https://api.razorpay.com ",
        "frame-src https://api.razorpay.com ",
    ] {
        assert!(policy.contains(part), "{part} is missing in {policy}");
    }
    assert!(!policy.contains("unsafe"), "{policy}");
    assert_eq!(page.header("cross-origin-opener-policy"), "same-origin-allow-popups");
}

#[actix_web::test]
async fn opening_an_app_uses_no_allowance_and_no_database() {
    let apps = Apps::new("limits");
    let limits = |settings: &mut Settings| {
        settings.server.trusted_proxies = vec!["127.0.0.1/32".to_owned()];
        settings.limits.per_address_per_minute = 3;
    };
    let (app, wire) = spawn_app_behind_as(limits, apps.options()).await;
    let from = [("x-forwarded-for", "203.0.113.7"), ("accept", BROWSER)];
    wire.cut();
    for path in ["/", "/customer/", "/customer/assets/index-B7dKq2.js"].iter().cycle().take(60) {
        let page = get(&app, path, &from).await;
        assert_eq!((page.status, page.header("ratelimit-limit")), (200, ""), "{path}");
    }
    let counted = get(&app, "/health", &from).await;
    assert_eq!((counted.header("ratelimit-limit"), counted.header("ratelimit-remaining")), ("3", "2"));
    let measured = get(&app, "/metrics", &[]).await.text;
    assert!(measured.contains(r#"method="GET",route="pages",status="2xx""#), "{measured}");
}

#[actix_web::test]
async fn without_built_apps_their_paths_say_how_to_build_them() {
    let apps = Apps::empty("none");
    let app = apps.serve().await;
    for path in ["/", "/home/", "/customer/", "/mechanic/offers", "/console/assets/index-a1.js"] {
        let refused = get(&app, path, &[("accept", BROWSER)]).await;
        assert_eq!((refused.status, refused.header("content-type")), (404, "application/json"), "{path}");
        assert!(refused.text.contains("Run ./script/web"), "{path}: {}", refused.text);
    }
    let shared =
        ask(&app, Method::GET, "/track/h1dQzT5kT0m3kF8mXo0bYw7pQ2rN9sVcJ4uLaEiGx6A", &[("accept", BROWSER)])
            .await;
    assert_eq!((shared.status, shared.header("content-type")), (404, "application/json"));
}

#[actix_web::test]
async fn an_app_reads_its_configuration_before_anyone_signs_in() {
    let (apps, app) = Apps::served("config").await;
    for prefix in ["", "/api/v1"] {
        let answer = app.anonymous().get(&format!("{prefix}/config")).await;
        assert_eq!(answer.header("cache-control"), Some("public, max-age=60"));
        let expected = json!({
            "environment": "development", "currency": "INR", "country_code": "+91",
            "map": {"basemap_url": null, "center": {"lat": 12.9716, "lng": 77.5946}, "zoom": 11.0},
            "places": {"as_you_type": true, "attribution": null, "attribution_url": null},
            "payments": {"provider": "sandbox", "checkout_url": null, "key_id": null},
            "rules": {
                "no_show_after_s": 600, "dispute_window_s": 172_800, "min_withdrawal": 1.0, "max_withdrawal": 100_000.0,
            },
            "admin_sign_in": {"kind": "password", "provider_name": null},
            "operator": {"brand": "Roadcall", "privacy_url": null, "terms_url": null, "privacy_contact": null},
            "support": {"phone": null, "email": null, "emergency_phone": "112"},
            "job_stop": null, "privacy_notice_version": null, "demo_available": false,
        });
        let mut config = answer.expect(200);
        let push = config.as_object_mut().and_then(|config| config.remove("push"));
        assert_eq!(config, expected);
        let key = push.as_ref().and_then(|push| push["vapid_public_key"].as_str());
        assert_eq!(key.map(str::len), Some(87), "a point of P-256 in base64url: {push:?}");
    }
    let app = apps
        .serve_with(|settings| {
            settings.phone.region = "AE".parse().unwrap();
            settings.map.center_lat = 25.2;
            settings.gateway.provider = GatewayProvider::Razorpay;
            settings.gateway.key_id = "rzp_test_1".to_owned();
            settings.gateway.key_secret.0 = "hunter2".to_owned();
            settings.support.phone = "+97141234567".to_owned();
        })
        .await;
    let answer = app.anonymous().get("/config").await;
    assert!(!answer.text.contains("hunter2"), "{}", answer.text);
    let config = answer.expect(200);
    assert_eq!((&config["country_code"], &config["map"]["center"]["lat"]), (&json!("+971"), &json!(25.2)));
    assert_eq!(config["support"], json!({"phone": "+97141234567", "email": null, "emergency_phone": "998"}));
    let checkout = "https://checkout.razorpay.com/v1/checkout.js";
    assert_eq!(
        config["payments"],
        json!({"provider": "razorpay", "checkout_url": checkout, "key_id": "rzp_test_1"})
    );
    let app = apps.serve_with(|settings| settings.support.emergency_phone = "108".to_owned()).await;
    assert_eq!(app.anonymous().get("/config").await.expect(200)["support"]["emergency_phone"], "108");
}

#[actix_web::test]
async fn the_base_map_is_read_in_parts() {
    let (_apps, app) = Apps::served("ground").await;
    let path = "/map/basemap.pmtiles";
    app.anonymous().get(path).await.refused(404, "NOT_FOUND");
    let bytes: String = (0..200_000).map(|n| char::from(b'a' + (n % 23) as u8)).collect();
    fs::write(app.data_dir.join("basemap.pmtiles"), &bytes).unwrap();
    let config = app.anonymous().get("/config").await.expect(200);
    assert_eq!(config["map"]["basemap_url"], path);

    let whole = get(&app, path, &[]).await;
    assert_eq!((whole.status, whole.text == bytes), (200, true));
    assert_eq!(whole.header("content-type"), "application/vnd.pmtiles");
    assert_eq!((whole.header("accept-ranges"), whole.header("cache-control")), ("bytes", "no-cache"));
    let etag = whole.header("etag").to_owned();
    let part = async |headers: &[(&str, &str)]| {
        let part = get(&app, path, headers).await;
        assert_eq!(part.header("etag"), etag);
        (part.status, part.header("content-range").to_owned(), part.text)
    };
    for (range, from, to) in [
        ("bytes=0-126", 0, 127),
        ("bytes=70000-199998", 70_000, 199_999),
        ("bytes=199990-", 199_990, 200_000),
        ("bytes=-5", 199_995, 200_000),
        ("bytes=199999-9999999", 199_999, 200_000),
    ] {
        let (status, shown, text) = part(&[("range", range)]).await;
        let expected = format!("bytes {from}-{}/200000", to - 1);
        assert_eq!((status, shown.as_str(), text == bytes[from..to]), (206, &*expected, true), "{range}");
    }
    let beyond = part(&[("range", "bytes=200000-200001")]).await;
    assert_eq!(beyond, (416, "bytes */200000".to_owned(), String::new()));
    assert_eq!(part(&[("range", "bytes=0-1"), ("if-range", &etag)]).await.0, 206);
    for version in ["\"another\"", "Sat, 14 Mar 2026 06:00:00 GMT"] {
        let (status, _, text) = part(&[("range", "bytes=0-1"), ("if-range", version)]).await;
        assert_eq!(
            (status, text.len()),
            (200, bytes.len()),
            "parts of two versions would not fit: {version}"
        );
    }
    let known = part(&[("range", "bytes=0-1"), ("if-none-match", &etag)]).await;
    assert_eq!(known, (304, String::new(), String::new()));
    let head = ask(&app, Method::HEAD, path, &[("range", "bytes=0-126")]).await;
    assert_eq!((head.status, head.header("content-length"), head.text.as_str()), (206, "127", ""));
    // Another archive is another version.
    fs::write(app.data_dir.join("basemap.pmtiles"), "a new one").unwrap();
    let new = get(&app, path, &[("if-none-match", &etag)]).await;
    assert_eq!((new.status, new.text.as_str()), (200, "a new one"));
    assert_ne!(new.header("etag"), etag);
    fs::remove_file(app.data_dir.join("basemap.pmtiles")).unwrap();
    assert!(app.anonymous().get("/config").await.expect(200)["map"]["basemap_url"].is_null());
}

#[actix_web::test]
async fn downloads_of_the_base_map_are_limited() {
    let apps = Apps::new("ground-whole");
    let app = apps.serve_with(|settings| settings.map.basemap_mib_per_address_per_hour = 5).await;
    let path = "/map/basemap.pmtiles";
    let mib = 1024 * 1024;
    fs::write(app.data_dir.join("basemap.pmtiles"), vec![7; 8 * mib]).unwrap();
    for whole in
        [&[][..], &[("range", "bytes=0-")], &[("range", "bytes=-4000000")], &[("range", "bytes=0-1,5-6")]]
    {
        let refused = get(&app, path, whole).await;
        assert_eq!(refused.status, 403, "{whole:?}");
        assert!(refused.text.contains("FORBIDDEN") && refused.text.contains("Range"), "{}", refused.text);
    }
    // The refused request was not counted: five are left.
    let part = format!("bytes={mib}-{}", 3 * mib - 1);
    for n in 0..2 {
        let got = get(&app, path, &[("range", &part)]).await;
        assert_eq!((got.status, got.text.len()), (206, 2 * mib), "{n}");
    }
    let refused = get(&app, path, &[("range", &part)]).await;
    assert_eq!(refused.status, 429);
    assert!(refused.header("retry-after").parse::<u64>().is_ok_and(|wait_s| wait_s <= 3600));
    let small = get(&app, path, &[("range", "bytes=0-99")]).await;
    assert_eq!(small.status, 206, "a small part still fits");
}

#[actix_web::test]
async fn the_apps_have_the_operators_name_color_and_icons() {
    let apps = Apps::empty("brand");
    for app in ["home", "customer", "mechanic", "console", "partners"] {
        apps.write(&format!("{app}/index.html"), "<!doctype html><head><title>Roadcall</title></head>");
        apps.write(&format!("{app}/icons/icon.svg"), "ours");
    }
    apps.write("customer/share.html", "<!doctype html><head><title>Roadcall</title></head>");
    apps.write("customer/manifest.webmanifest", r#"{"name":"Roadcall"}"#);
    let app = apps
        .serve_with(|settings| {
            settings.operator.brand = "Bell & \"Sons\"".to_owned();
            settings.operator.color = "#005f73".to_owned();
            settings.operator.privacy_url = "https://bell.example/privacy".to_owned();
            settings.privacy.contact_email = "privacy@bell.example".to_owned();
            fs::create_dir_all(settings.server.data_dir.join("icons")).unwrap();
            fs::write(settings.server.data_dir.join("icons/icon.svg"), "theirs").unwrap();
        })
        .await;
    for path in ["/customer/", "/console/", "/track/abc"] {
        let page = get(&app, path, &[("accept", BROWSER)]).await;
        assert!(page.text.contains("<title>Bell &amp; &quot;Sons&quot;</title>"), "{path}: {}", page.text);
        assert!(page.text.contains("--accent: light-dark(#005f73, "), "{path}: {}", page.text);
        let policy = page.header("content-security-policy");
        assert!(policy.contains("style-src 'self' 'sha256-"), "{path}: {policy}");
    }
    let manifest = get(&app, "/customer/manifest.webmanifest", &[]).await;
    assert_eq!(manifest.text, r#"{"name":"Bell & \"Sons\""}"#);
    let (own, etag) = {
        let icon = get(&app, "/mechanic/icons/icon.svg", &[]).await;
        let etag = icon.header("etag").to_owned();
        (icon.text, etag)
    };
    assert_eq!(own, "theirs");
    let again = get(&app, "/mechanic/icons/icon.svg", &[("if-none-match", &etag)]).await;
    assert_eq!(again.status, 304);
    let config = app.anonymous().get("/config").await.expect(200);
    let expected = json!({
        "brand": "Bell & \"Sons\"", "privacy_url": "https://bell.example/privacy", "terms_url": null,
        "privacy_contact": {"name": null, "email": "privacy@bell.example"},
    });
    assert_eq!(config["operator"], expected);
}
