//! Uploads, made like an app makes them.

use reqwest::Method;
use serde_json::{Value, json};

use super::{Answer, Client};

/// An announced upload.
#[derive(Debug, Clone)]
pub struct Announced {
    pub id: String,
    pub file_url: String,
    pub content_type: String,
    /// Path and query of the upload link.
    pub put_path: String,
    /// The whole response.
    pub answer: Value,
}

/// Returns the bytes of a small photo: a JPEG of 3012 bytes without metadata.
pub fn photo() -> Vec<u8> {
    photo_of(&[7; 2967])
}

/// Returns a JPEG with this data in its one scan.
pub fn photo_of(data: &[u8]) -> Vec<u8> {
    photo_with(&[], data)
}

/// Returns a JPEG with these segments after its first one.
pub fn photo_with(segments: &[u8], data: &[u8]) -> Vec<u8> {
    let start = b"\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01\0\0\x01\0\x01\0\0".as_slice();
    let frame = b"\xff\xc0\0\x0b\x08\0\x01\0\x01\x01\x01\x11\0".as_slice();
    let scan = b"\xff\xda\0\x08\x01\x01\0\0\x3f\0".as_slice();
    [start, segments, frame, scan, data, b"\xff\xd9"].concat()
}

pub fn pdf() -> Vec<u8> {
    [b"%PDF-1.7\n".as_slice(), &[b' '; 500]].concat()
}

/// Returns the announcement of these bytes as a JPEG.
pub fn announcement(purpose: &str, bytes: &[u8]) -> Value {
    json!({"purpose": purpose, "content_type": "image/jpeg", "size_bytes": bytes.len()})
}

pub async fn presigned(by: &Client, purpose: &str, bytes: &[u8]) -> Announced {
    presigned_as(by, announcement(purpose, bytes)).await
}

pub async fn presigned_as(by: &Client, body: Value) -> Announced {
    announced_at(by, "/uploads/presign", body).await
}

async fn announced_at(by: &Client, path: &str, body: Value) -> Announced {
    let answer = by.post(path, body.clone()).await.expect(201);
    let text = |field: &str| answer[field].as_str().unwrap_or_else(|| panic!("no {field}")).to_owned();
    Announced {
        id: text("upload_id"),
        file_url: text("file_url"),
        content_type: body["content_type"].as_str().unwrap().to_owned(),
        put_path: path_of(&text("url")),
        answer,
    }
}

/// Announces a photo for a partner's case, and sends it.
pub async fn sent_for_case(by: &Client, case: &str) -> Announced {
    let bytes = photo();
    let body = json!({"content_type": "image/jpeg", "size_bytes": bytes.len()});
    let upload = announced_at(by, &format!("/partner/cases/{case}/uploads"), body).await;
    upload.put(by, &bytes).await.expect(200);
    upload
}

/// Adds a photo to a partner's case, and returns the document.
pub async fn case_document(by: &Client, case: &str) -> Value {
    let upload = sent_for_case(by, case).await;
    let body = json!({"upload_id": upload.id, "kind": "photo", "name": "The bumper"});
    by.post(&format!("/partner/cases/{case}/documents"), body).await.expect(201)
}

/// Announces a file and sends its bytes.
pub async fn sent(by: &Client, purpose: &str, bytes: &[u8]) -> Announced {
    let upload = presigned(by, purpose, bytes).await;
    upload.put(by, bytes).await.expect(200);
    upload
}

/// Announces, sends and completes a file.
pub async fn uploaded(by: &Client, purpose: &str, bytes: &[u8]) -> Announced {
    let upload = sent(by, purpose, bytes).await;
    upload.complete(by).await.expect(200);
    upload
}

impl Announced {
    pub fn path(&self, rest: &str) -> String {
        format!("/uploads/{}{rest}", self.id)
    }

    /// Sends bytes to the local store, without a token.
    pub async fn put(&self, by: &Client, bytes: &[u8]) -> Answer {
        self.put_as(by, &self.content_type, bytes).await
    }

    pub async fn put_as(&self, by: &Client, content_type: &str, bytes: &[u8]) -> Answer {
        let bytes = bytes.to_vec();
        let nobody = by.without_token();
        nobody
            .send_as(Method::PUT, &self.put_path, |request| {
                request.header("content-type", content_type).body(bytes)
            })
            .await
    }

    pub async fn complete(&self, by: &Client) -> Answer {
        by.post(&self.path("/complete"), json!({})).await
    }

    /// Returns path and query of a download link.
    pub async fn link_path(&self, by: &Client) -> String {
        let link = by.get(&self.path("/link")).await.expect(200);
        path_of(link["url"].as_str().unwrap())
    }
}

/// Returns path and query of a URL of the service.
pub fn path_of(url: &str) -> String {
    let url = reqwest::Url::parse(url).unwrap();
    format!("{}?{}", url.path(), url.query().unwrap_or_default())
}
