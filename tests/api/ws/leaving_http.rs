//! The connection of a socket, from the handshake to its end.

use tokio::{
    io::{AsyncReadExt, AsyncWriteExt},
    net::TcpStream,
};

use super::{frame, handshake, raw_socket, read_until};
use crate::support::{TestApp, spawn_app, spawn_with_customer, until_so, within};

async fn connected(app: &TestApp) -> TcpStream {
    TcpStream::connect(app.address).await.expect("a connection")
}

/// Reads until the service has closed its end.
async fn rest(stream: &mut TcpStream) -> Vec<u8> {
    let mut rest = Vec::new();
    within("the service closes its end", stream.read_to_end(&mut rest)).await.expect("readable");
    rest
}

#[actix_web::test]
async fn frames_that_come_with_the_handshake_are_answered() {
    let (app, customer) = spawn_with_customer().await;
    let mut stream = connected(&app).await;
    let mut bytes = handshake(&app, customer.token().expect("signed in")).into_bytes();
    for reference in ["early1", "early2"] {
        let text = format!(r#"{{"type":"chat.shout","ref":"{reference}","data":{{}}}}"#);
        bytes.extend(frame(0x81, text.as_bytes()));
    }
    stream.write_all(&bytes).await.expect("written");
    read_until(&mut stream, b"early2").await;
}

#[actix_web::test]
async fn a_refused_handshake_is_answered_in_full_and_ends_the_connection() {
    let app = spawn_app().await;
    let mut stream = connected(&app).await;
    stream.write_all(handshake(&app, "nonsense").as_bytes()).await.expect("written");
    let answer = String::from_utf8(rest(&mut stream).await).expect("text");
    let (head, body) = answer.split_once("\r\n\r\n").expect("a head and a body");
    assert!(head.starts_with("HTTP/1.1 401 ") && head.contains("connection: close"), "{head}");
    assert!(head.contains(&format!("content-length: {}", body.len())), "{head}");
    assert!(body.contains("UNAUTHORIZED"), "{body}");
}

#[actix_web::test]
async fn an_answer_of_unknown_length_to_a_request_to_leave_http_ends_with_the_connection() {
    let app = spawn_app().await;
    let mut stream = connected(&app).await;
    let request = format!(
        "GET /openapi.json HTTP/1.1\r\nhost: {}\r\nconnection: upgrade\r\nupgrade: websocket\r\n\
        accept-encoding: gzip\r\n\r\n",
        app.address,
    );
    stream.write_all(request.as_bytes()).await.expect("written");
    let answer = rest(&mut stream).await;
    let end = answer.windows(4).position(|part| part == b"\r\n\r\n").expect("the end of the head");
    let (head, body) = answer.split_at(end + 4);
    let head = String::from_utf8_lossy(head);
    assert!(head.contains("content-encoding: gzip") && head.contains("connection: close"), "{head}");
    assert!(!head.contains("transfer-encoding"), "{head}");
    assert!(body.starts_with(&[0x1f, 0x8b]), "the body is not in chunks");
}

#[actix_web::test]
async fn a_handshake_whose_connection_stays_with_http_opens_no_socket() {
    let (app, customer) = spawn_with_customer().await;
    let handshake = handshake(&app, customer.token().expect("signed in"));
    let among_others = handshake.replace("upgrade: websocket", "upgrade: other, websocket");
    let with_body = handshake.replace("\r\n\r\n", "\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n");
    for request in [among_others, with_body] {
        let mut stream = connected(&app).await;
        stream.write_all(request.as_bytes()).await.expect("written");
        read_until(&mut stream, b"HTTP/1.1 422 ").await;
    }
    assert_eq!(app.service.hub.sockets(), 0, "no seat is taken");
}

#[actix_web::test]
async fn a_socket_that_its_client_closes_ends_with_the_services_closing_frame() {
    let (app, customer) = spawn_with_customer().await;
    let mut raw = raw_socket(&app, &customer).await;
    raw.write_all(&frame(0x88, &1000_u16.to_be_bytes())).await.expect("written");
    // Our end is still open, so the service does not wait for us.
    let rest = rest(&mut raw).await;
    assert_eq!(rest.get(..4), Some(&[0x88, 2, 0x03, 0xe8][..]), "the code 1000");
    until_so("the seat is free", async || app.service.hub.sockets() == 0).await;
}
