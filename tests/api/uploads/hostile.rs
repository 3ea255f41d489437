//! Requests that no well-meaning client makes.

use std::time::Duration;

use futures_util::future::join_all;
use reqwest::Method;
use serde_json::json;
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use crate::support::{
    TestApp, spawn_app, spawn_app_with, spawn_with_customer,
    uploads::{announcement, path_of, photo, photo_of, presigned, presigned_as, sent, uploaded},
    within,
};

/// Splits a link into path, expiry in seconds, and signature.
fn parts(path: &str) -> (String, i64, String) {
    let (path, query) = path.split_once('?').unwrap();
    let value = |name: &str| {
        let pair = query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='));
        pair.unwrap_or_else(|| panic!("no {name} in {query}")).to_owned()
    };
    (path.to_owned(), value("expires").parse().unwrap(), value("signature"))
}

#[actix_web::test]
async fn a_link_opens_only_the_file_that_it_was_signed_for() {
    let app = spawn_app().await;
    let (owner, nobody) = (app.customer().await, app.anonymous());
    let kept = uploaded(&owner, "document", &photo()).await;
    let other = presigned(&owner, "document", &photo()).await;
    let (get, ends, signature) = parts(&kept.link_path(&owner).await);
    let (put, put_ends, put_signature) = parts(&other.put_path);
    let mut flipped = signature.clone();
    flipped.replace_range(..1, if signature.starts_with('0') { "1" } else { "0" });
    let forged = [
        (Method::GET, format!("{get}?expires={ends}&signature={flipped}")),
        (Method::GET, format!("{get}?expires={}&signature={signature}", ends + 3600)),
        (Method::GET, format!("{get}?expires=-1&signature={signature}")),
        (Method::GET, format!("{get}?expires={ends}&signature=")),
        (Method::GET, format!("{get}?expires={ends}&signature={}", "0".repeat(64))),
        // These use a download's signature for an upload, and the other way round.
        (Method::PUT, format!("{put}?expires={ends}&signature={signature}")),
        (Method::GET, format!("{get}?expires={put_ends}&signature={put_signature}")),
        (Method::GET, format!("{put}?expires={put_ends}&signature={put_signature}")),
        (Method::PUT, format!("{get}?expires={put_ends}&signature={put_signature}")),
    ];
    for (method, path) in forged {
        nobody.send(method, &path, None).await.refused(401, "SIGNATURE_INVALID");
        // A token does not help.
        owner
            .send(Method::GET, &format!("{get}?expires={ends}&signature={flipped}"), None)
            .await
            .refused(401, "SIGNATURE_INVALID");
    }
    for path in [get.clone(), format!("{get}?expires={ends}"), format!("{get}?signature={signature}")] {
        owner.get(&path).await.refused(404, "NOT_FOUND");
    }
    nobody.get(&format!("{get}?expires=soon&signature={signature}")).await.refused_field("expires");
    nobody.get(&format!("{get}?expires={ends}&signature={signature}")).await.expect(200);
}

#[actix_web::test]
async fn a_link_expires() {
    let app = spawn_app_with(|settings| {
        settings.uploads.link_ttl_s = 60;
        settings.uploads.put_link_ttl_s = 60;
    })
    .await;
    let (owner, nobody, clock) = (app.customer().await, app.anonymous(), &app.service.clock);
    clock.stop();
    let [never_sent, kept] =
        [presigned(&owner, "avatar", &photo()).await, presigned(&owner, "avatar", &photo()).await];
    // A link names the second in which it ends.
    clock.advance(Duration::from_secs(58));
    kept.put(&nobody, &photo()).await.expect(200);
    kept.complete(&owner).await.expect(200);
    clock.advance(Duration::from_secs(3));
    never_sent.put(&nobody, &photo()).await.refused(410, "LINK_EXPIRED");
    never_sent.complete(&owner).await.refused(409, "CONFLICT");
    let (path, ends, signature) = parts(&kept.link_path(&owner).await);
    let link = format!("{path}?expires={ends}&signature={signature}");
    clock.advance(Duration::from_secs(58));
    nobody.get(&link).await.expect(200);
    clock.advance(Duration::from_secs(3));
    nobody.get(&link).await.refused(410, "LINK_EXPIRED");
}

#[actix_web::test]
async fn ids_with_parent_folders_are_refused() {
    let (_app, owner) = spawn_with_customer().await;
    // With a null character, it is not a path at all.
    let cut = "018f0000-0000-7000-8000-00000000dead%00";
    owner.get(&format!("/uploads/{cut}/link")).await.refused(404, "NOT_FOUND");
    for id in ["..%2f..%2fetc%2fpasswd", "..%5c..", "*"] {
        owner.get(&format!("/uploads/{id}/link")).await.refused_field("id");
        owner.get(&format!("/uploads/{id}/content?expires=1&signature=00")).await.refused_field("id");
        let put =
            owner.send(Method::PUT, &format!("/uploads/{id}/content?expires=1&signature=00"), None).await;
        put.refused_field("id");
    }
}

#[actix_web::test]
async fn a_page_announced_as_an_image_is_refused_and_a_page_within_an_image_is_served_as_an_image() {
    let app = spawn_app().await;
    let (owner, nobody) = (app.customer().await, app.anonymous());
    for page in
        [&b"<!doctype html><script>alert(1)</script>"[..], b"<svg onload=alert(1)>", b"GIF89a/*<script>*/"]
    {
        let upload = presigned(&owner, "avatar", page).await;
        upload.put(&owner, page).await.refused_field("content_type");
        upload.complete(&owner).await.refused(409, "CONFLICT");
    }
    let polyglot = photo_of(b"<html><script>alert(1)</script></html>");
    let upload = uploaded(&owner, "avatar", &polyglot).await;
    let answer = nobody.get(&upload.link_path(&owner).await).await;
    for (header, value) in [
        ("content-type", "image/jpeg"),
        ("x-content-type-options", "nosniff"),
        ("content-security-policy", "default-src 'none'; sandbox; frame-ancestors 'none'"),
    ] {
        assert_eq!(answer.header(header), Some(value));
    }
}

/// Sends a head, then this much of a body, and reads the response. Returns `None` if the connection is cut without one.
async fn raw(app: &TestApp, head: &str, body: &[u8]) -> Option<String> {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    stream.write_all(head.as_bytes()).await.unwrap();
    // The response may come, and the connection end, before the whole body is accepted.
    stream.write_all(body).await.ok();
    let mut answer = vec![0; 2048];
    let length = within("an answer", stream.read(&mut answer)).await.ok()?;
    (length > 0).then(|| String::from_utf8_lossy(&answer[..length]).into_owned())
}

#[actix_web::test]
async fn a_body_that_is_too_large_or_never_ends_is_refused_early() {
    let (app, owner) = spawn_with_customer().await;
    let bytes = photo();
    let upload = presigned(&owner, "avatar", &bytes).await;
    let start =
        format!("PUT {} HTTP/1.1\r\nhost: localhost\r\ncontent-type: image/jpeg\r\n", upload.put_path);
    let declared = format!("{start}content-length: 900000000\r\n\r\n");
    let answer = raw(&app, &declared, &[]).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 422") && answer.contains("size_bytes"), "{answer}");
    let chunked = format!("{start}transfer-encoding: chunked\r\n\r\n");
    let chunk = |bytes: &[u8]| [format!("{:x}\r\n", bytes.len()).as_bytes(), bytes, b"\r\n"].concat();
    let endless = [chunk(&bytes), chunk(&bytes)].concat();
    let answer = raw(&app, &chunked, &endless).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 422") && answer.contains("size_bytes"), "{answer}");
    let whole = [chunk(&bytes[..100]), chunk(&bytes[100..]), b"0\r\n\r\n".to_vec()].concat();
    let answer = raw(&app, &chunked, &whole).await.unwrap();
    assert!(answer.starts_with("HTTP/1.1 200"), "{answer}");
    upload.complete(&owner).await.expect(200);
}

#[actix_web::test]
async fn a_compressed_body_is_refused() {
    let (_app, owner) = spawn_with_customer().await;
    let upload = presigned(&owner, "avatar", &photo()).await;
    let answer = owner
        .send_as(Method::PUT, &upload.put_path, |request| {
            let request = request.header("content-type", "image/jpeg").header("content-encoding", "gzip");
            request.body(photo())
        })
        .await;
    answer.refused(415, "UNSUPPORTED_MEDIA_TYPE");
}

#[actix_web::test]
async fn a_sender_that_stalls_is_cut_off_and_its_link_is_free_again() {
    for (pause_ms, whole_s) in [(4_000, 300), (600_000, 1)] {
        let app = spawn_app_with(|settings| {
            settings.server.client_timeout_ms = pause_ms;
            settings.uploads.receive_timeout_s = whole_s;
        })
        .await;
        let owner = app.customer().await;
        let bytes = photo();
        let upload = presigned(&owner, "avatar", &bytes).await;
        let head = format!(
            "PUT {} HTTP/1.1\r\nhost: localhost\r\ncontent-type: image/jpeg\r\ncontent-length: {}\r\n\r\n",
            upload.put_path,
            bytes.len()
        );
        let answer = raw(&app, &head, &bytes[..1000]).await.unwrap();
        assert!(answer.starts_with("HTTP/1.1 422") && answer.contains("did not arrive in time"), "{answer}");
        upload.put(&owner, &bytes).await.expect(200);
        upload.complete(&owner).await.expect(200);
    }
}

#[actix_web::test]
async fn only_one_of_ten_simultaneous_uploads_over_one_link_succeeds() {
    let app = spawn_app_with(|settings| settings.server.workers = 4).await;
    let owner = app.customer().await;
    let versions: Vec<Vec<u8>> = (0..10_u8).map(|n| photo_of(&vec![n; 300_000])).collect();
    let upload = presigned(&owner, "avatar", &versions[0]).await;
    let statuses = join_all(versions.iter().map(|bytes| async {
        match upload.put(&owner, bytes).await {
            answer if answer.status == 200 => 200,
            answer => {
                answer.refused(409, "CONFLICT");
                409
            }
        }
    }));
    let statuses = statuses.await;
    assert_eq!(statuses.iter().filter(|status| **status == 200).count(), 1, "{statuses:?}");
    upload.complete(&owner).await.expect(200);
    let winner = statuses.iter().position(|status| *status == 200).unwrap();
    let url = format!("http://{}{}", app.address, upload.link_path(&owner).await);
    let fetched = reqwest::get(url).await.unwrap().bytes().await.unwrap();
    assert!(fetched == versions[winner]);
}

#[actix_web::test]
async fn simultaneous_uploads_are_limited() {
    let app = spawn_app_with(|settings| {
        settings.uploads.receiving_at_once = 1;
        settings.uploads.receiving_per_user = 1;
        // The probes below follow each other without a pause.
        settings.limits.per_address_per_minute = 1_000_000;
        settings.limits.per_credential_per_minute = 1_000_000;
        settings.limits.per_user_per_minute = 1_000_000;
    })
    .await;
    let owner = app.customer().await;
    let bytes = photo();
    let (slow, other) =
        (presigned(&owner, "avatar", &bytes).await, presigned(&owner, "avatar", &bytes).await);
    let stream = begun(&app, &slow.put_path, bytes.len()).await;
    let probe = presigned(&owner, "avatar", b"x").await;
    let refused = async {
        loop {
            let answer = probe.put(&owner, b"x").await;
            if answer.status == 503 {
                return answer;
            }
            answer.refused_field("content_type");
        }
    };
    within("the place is taken", refused).await.refused(503, "UNAVAILABLE");
    slow.put(&owner, &bytes).await.refused(409, "CONFLICT");
    finished(stream, &bytes).await;
    other.put(&owner, &bytes).await.expect(200);
}

/// Sends the bytes of an upload that has its slot, and expects success.
async fn finished(mut stream: TcpStream, bytes: &[u8]) {
    stream.write_all(bytes).await.unwrap();
    let mut answer = [0; 1000];
    let length = within("the answer", stream.read(&mut answer)).await.unwrap();
    assert!(answer[..length].starts_with(b"HTTP/1.1 200"), "{}", String::from_utf8_lossy(&answer[..length]));
}

/// Begins an upload; returns once the server asks for the body: it has its slot.
async fn begun(app: &TestApp, put_path: &str, length: usize) -> TcpStream {
    let mut stream = TcpStream::connect(app.address).await.unwrap();
    let head = format!(
        "PUT {put_path} HTTP/1.1\r\nhost: localhost\r\ncontent-type: image/jpeg\r\ncontent-length: {length}\r\nexpect: 100-continue\r\n\r\n",
    );
    stream.write_all(head.as_bytes()).await.unwrap();
    let mut answer = [0; 100];
    let length = within("100 Continue", stream.read(&mut answer)).await.unwrap();
    assert!(answer[..length].starts_with(b"HTTP/1.1 100"));
    stream
}

#[actix_web::test]
async fn simultaneous_uploads_of_one_person_are_limited() {
    let app = spawn_app_with(|settings| settings.uploads.receiving_per_user = 2).await;
    let (greedy, other) = (app.customer().await, app.customer().await);
    let bytes = photo();
    let mut held = Vec::new();
    for _ in 0..2 {
        let upload = presigned(&greedy, "avatar", &bytes).await;
        held.push((begun(&app, &upload.put_path, bytes.len()).await, upload));
    }
    let third = presigned(&greedy, "avatar", &bytes).await;
    let refused = async {
        loop {
            // A body that differs from its announcement holds no slot for long if it comes before the others have theirs.
            let probe = presigned(&greedy, "avatar", b"x").await;
            let answer = probe.put(&greedy, b"x").await;
            if answer.status == 429 {
                return answer;
            }
            answer.refused_field("content_type");
        }
    };
    let answer = within("both places are taken", refused).await;
    assert_eq!(answer.header("retry-after"), Some("5"));
    answer.refused(429, "RATE_LIMITED");
    presigned(&other, "avatar", &bytes).await.put(&other, &bytes).await.expect(200);
    let (stream, _) = held.pop().expect("one of them");
    finished(stream, &bytes).await;
    third.put(&greedy, &bytes).await.expect(200);
}

#[actix_web::test]
async fn a_slow_sender_is_cut_off_even_after_a_fast_start() {
    let app = spawn_app_with(|settings| {
        settings.uploads.receive_min_bytes_per_s = 1_000;
        settings.uploads.receive_window_s = 1;
    })
    .await;
    let owner = app.customer().await;
    let bytes = photo_of(&vec![0; 100_000]);
    let upload = presigned(&owner, "avatar", &bytes).await;
    let mut stream = begun(&app, &upload.put_path, bytes.len()).await;
    let (begin, rest) = bytes.split_at(50_000);
    stream.write_all(begin).await.unwrap();
    let (mut reading, mut writing) = stream.split();
    let mut answer = vec![0; 2_000];
    let dripping = async {
        let mut drop = tokio::time::interval(Duration::from_millis(50));
        for byte in rest {
            drop.tick().await;
            if writing.write_all(&[*byte]).await.is_err() {
                break;
            }
        }
        std::future::pending::<()>().await;
    };
    let length = tokio::select! {
        length = within("an answer", reading.read(&mut answer)) => length.unwrap(),
        () = dripping => unreachable!(),
    };
    let answer = String::from_utf8_lossy(&answer[..length]);
    assert!(answer.starts_with("HTTP/1.1 422"), "{answer}");
    assert!(answer.contains("arrived slower than 1000 bytes a second"), "{answer}");
    upload.put(&owner, &bytes).await.expect(200);
}

#[actix_web::test]
async fn another_persons_upload_is_unknown() {
    let app = spawn_app().await;
    let (owner, other, admin) = (app.customer().await, app.customer().await, app.admin().await);
    let upload = sent(&owner, "document", &photo()).await;
    for by in [&other, &admin] {
        by.post(&upload.path("/complete"), json!({})).await.refused(404, "NOT_FOUND");
    }
    other.get(&upload.path("/link")).await.refused(404, "NOT_FOUND");
    upload.complete(&owner).await.expect(200);
}

#[actix_web::test]
async fn clients_file_names_are_not_stored() {
    let (app, owner) = spawn_with_customer().await;
    let bytes = photo();
    let upload = presigned_as(&owner, announcement("avatar", &bytes)).await;
    let answer = owner
        .send_as(Method::PUT, &upload.put_path, |request| {
            let request = request.header("content-type", "image/jpeg");
            request.header("content-disposition", "attachment; filename=../../evil.html").body(bytes)
        })
        .await;
    answer.expect(200);
    upload.complete(&owner).await.expect(200);
    let link = owner.get(&upload.path("/link")).await.expect(200);
    let answer = app.anonymous().get(&path_of(link["url"].as_str().unwrap())).await;
    let disposition = format!("inline; filename=\"{}.jpg\"", upload.id);
    assert_eq!(answer.header("content-disposition"), Some(disposition.as_str()));
}
