//! The requests of a person, as a server gets them.

use std::time::Duration;

use serde_json::{Value, json};
use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::{TcpListener, TcpStream},
};

use crate::{Api, Person, Tokens};

/// Reads a whole request.
async fn read(stream: &mut TcpStream) -> String {
    let (mut request, mut chunk) = (String::new(), [0; 4096]);
    loop {
        let count = stream.read(&mut chunk).await.expect("bytes");
        assert!(count > 0, "the request is not whole: {request}");
        request.push_str(std::str::from_utf8(&chunk[..count]).expect("text"));
        let Some((head, body)) = request.split_once("\r\n\r\n") else { continue };
        let length = head.lines().find_map(|line| line.strip_prefix("content-length: "));
        if body.len() >= length.map_or(0, |length| length.parse().expect("a number")) {
            return request;
        }
    }
}

/// Gives these answers to one request after the other, and returns the requests.
async fn serve(listener: &TcpListener, answers: &[(&str, Value)]) -> Vec<String> {
    let mut requests = Vec::new();
    for (status, body) in answers {
        let (mut stream, _) = listener.accept().await.expect("a connection");
        requests.push(read(&mut stream).await);
        let body = body.to_string();
        let length = body.len();
        let answer =
            format!("HTTP/1.1 {status}\r\ncontent-length: {length}\r\nconnection: close\r\n\r\n{body}");
        stream.write_all(answer.as_bytes()).await.expect("an answer");
    }
    requests
}

#[tokio::test]
async fn an_expired_token_is_renewed_and_the_request_is_sent_again() {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let base = format!("http://{}/", listener.local_addr().expect("an address"));
    let api = Api::new(&base, Duration::from_secs(60)).expect("a client");
    let tokens = Tokens { access_token: "old".to_owned(), refresh_token: "r1".to_owned() };
    let person = Person::new(&api, tokens);
    let answers = [
        ("401 Unauthorized", json!({ "error": { "code": "TOKEN_EXPIRED", "message": "" } })),
        ("200 OK", json!({ "data": { "accessToken": "new", "refreshToken": "r2" } })),
        ("201 Created", json!({ "id": 7 })),
    ];
    let making = person.post_once::<Value>("/jobs", json!({ "a": 1 }), "k");
    let (made, requests) = tokio::join!(making, serve(&listener, &answers));
    assert_eq!(made, Ok(json!({ "id": 7 })));
    for (request, token) in [(&requests[0], "old"), (&requests[2], "new")] {
        for part in ["POST /jobs HTTP/1.1\r\n", "\r\nidempotency-key: k\r\n", "\r\n\r\n{\"a\":1}"] {
            assert!(request.contains(part), "{part} in {request}");
        }
        assert!(request.contains(&format!("\r\nauthorization: Bearer {token}\r\n")), "{request}");
    }
    assert!(requests[1].starts_with("POST /auth/refresh "), "{}", requests[1]);
    assert!(requests[1].ends_with(r#"{"refreshToken":"r1"}"#), "{}", requests[1]);
}
