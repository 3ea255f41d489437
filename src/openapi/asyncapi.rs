//! The AsyncAPI 3.0 document of the socket, of the streams of jobs and of the webhooks to partners. It is made of the lists of their frames
//! (`ws/protocol/`) and the schemas of the OpenAPI document.

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use super::{
    versions::{INTERFACE_VERSION, SERVICE_VERSION},
    webhooks::{self, WEBHOOKS},
};
use crate::{
    partners::feeds::PartnerEventKind,
    ws::{About, Audience, ClientShape, ServerShape, Shape, client_shapes, server_shapes},
};

const SOCKET: &str = "socket";
const STREAM: &str = "job_stream";
const ERROR: &str = "error";

/// Makes the document. `openapi` is the finished one; at `public_url` clients reach the service.
pub(super) fn generate(openapi: &Value, public_url: &str) -> Value {
    let (server, client) = (server_shapes(), client_shapes());
    json!({
        "asyncapi": "3.0.0",
        "info": {
            "title": "roadcall, live",
            "version": INTERFACE_VERSION,
            "x-service-version": SERVICE_VERSION,
            "description": "The socket (GET /ws), one job as server-sent events (GET /jobs/{id}/stream), and webhooks to partners. Everything else \
                is in the OpenAPI document. Commands and subscriptions on all sockets of a person draw from the same budget as their \
                requests; beyond it a frame is refused as RATE_LIMITED with `retry_after_s`. Clients must ignore types and fields they do not know.",
        },
        "defaultContentType": "application/json",
        "servers": servers(public_url),
        "channels": {
            SOCKET: socket(&server, &client),
            STREAM: stream(&server),
            WEBHOOKS: webhooks::channel(listed(webhooks::names())),
        },
        "operations": operations(&server, &client),
        "components": {
            "messages": messages(&server, &client),
            "schemas": schemas(openapi, &server, &client),
            "securitySchemes": {
                "bearer": {"type": "http", "scheme": "bearer", "bearerFormat": "JWT"},
                "ticket": {
                    "type": "httpApiKey", "in": "query", "name": "ticket",
                    "description": "From POST /ws/ticket, for one use.",
                },
            },
        },
    })
}

fn servers(public_url: &str) -> Value {
    let (is_secure, host) = match public_url.split_once("://") {
        Some((scheme, rest)) => (scheme == "https", rest),
        None => (false, public_url),
    };
    let (host, path) = host.split_once('/').unwrap_or((host, ""));
    let path = format!("/{}", path.trim_end_matches('/'));
    let security = json!([
        reference("components/securitySchemes", "bearer"),
        reference("components/securitySchemes", "ticket")
    ]);
    let server =
        |protocol: &str| json!({"host": host, "pathname": path, "protocol": protocol, "security": security});
    let (socket, stream) = if is_secure { ("wss", "https") } else { ("ws", "http") };
    json!({SOCKET: server(socket), STREAM: server(stream), WEBHOOKS: webhooks::server()})
}

fn socket(server: &[ServerShape], client: &[ClientShape]) -> Value {
    let sent = server.iter().map(|frame| frame.name.to_owned());
    let asked = client.iter().flat_map(|frame| [key_of(frame, server), ack_of(frame)]);
    json!({
        "address": "/ws",
        "title": "The socket",
        "servers": [reference("servers", SOCKET)],
        "messages": listed(sent.chain(asked).chain([ERROR.to_owned()])),
        "bindings": {"ws": {"method": "GET", "query": {
            "type": "object", "properties": {"ticket": {"type": "string", "description": "Instead of the header."}},
        }}},
    })
}

fn stream(server: &[ServerShape]) -> Value {
    let sent =
        server.iter().filter(|frame| frame.audience == Audience::Both).map(|frame| frame.name.to_owned());
    json!({
        "address": "/jobs/{id}/stream",
        "title": "One job as server-sent events",
        "description": "`event` is the frame's type, `id` its `seq` where it has one, `data` the frame.",
        "servers": [reference("servers", STREAM)],
        "parameters": {"id": {"description": "The job."}},
        "messages": listed(sent),
    })
}

/// Returns the operations from the service's point of view, as the specification requires: it sends the frames that
/// clients receive.
fn operations(server: &[ServerShape], client: &[ClientShape]) -> Value {
    let sent = server.iter().map(|frame| frame.name.to_owned());
    let streamed =
        server.iter().filter(|frame| frame.audience == Audience::Both).map(|frame| frame.name.to_owned());
    let mut operations = Map::new();
    operations.insert("push".to_owned(), operation("send", SOCKET, sent, "What the service sends unasked."));
    operations
        .insert("push_of_job".to_owned(), operation("send", STREAM, streamed, "What happens to one job."));
    let summary = "What happens to a partner's cases.";
    operations.insert("tell_partner".to_owned(), operation("send", WEBHOOKS, webhooks::names(), summary));
    for frame in client {
        let mut asked = operation("receive", SOCKET, [key_of(frame, server)], frame.summary);
        asked["reply"] = json!({
            "channel": reference("channels", SOCKET),
            "messages": [of_channel(SOCKET, &ack_of(frame)), of_channel(SOCKET, ERROR)],
        });
        operations.insert(format!("ask.{}", frame.name), asked);
    }
    Value::Object(operations)
}

fn operation(action: &str, channel: &str, names: impl IntoIterator<Item = String>, summary: &str) -> Value {
    let messages: Vec<Value> = names.into_iter().map(|name| of_channel(channel, &name)).collect();
    json!({"action": action, "channel": reference("channels", channel), "summary": summary, "messages": messages})
}

fn messages(server: &[ServerShape], client: &[ClientShape]) -> Value {
    let mut messages = webhooks::messages();
    for frame in server {
        messages.insert(frame.name.to_owned(), message(frame.name, frame.summary, pushed(frame)));
    }
    for frame in client {
        let key = key_of(frame, server);
        messages.insert(key.clone(), message(&key, frame.summary, asked(frame)));
        let name = ack_of(frame);
        let summary = format!("The answer to a `{}` that has a `ref`.", frame.name);
        messages.insert(name.clone(), message(&name, &summary, acknowledged(frame)));
    }
    let summary = "The answer to a frame that was refused; `ref` is null where it had none.";
    messages.insert(ERROR.to_owned(), message(ERROR, summary, refused()));
    Value::Object(messages)
}

fn message(name: &str, summary: &str, payload: Value) -> Value {
    json!({"name": name, "title": name, "summary": summary, "contentType": "application/json", "payload": payload})
}

fn pushed(frame: &ServerShape) -> Value {
    let mut payload = json!({
        "type": "object",
        "required": ["type", "at", "data"],
        "properties": {
            "type": {"type": "string", "const": frame.name},
            "at": reference("components/schemas", "Timestamp"),
            "data": schema_of(&frame.data),
        },
    });
    let has_job = frame.about != About::Person;
    if has_job {
        payload["properties"]["job_id"] = json!({"type": "string", "format": "uuid"});
    }
    if frame.about == About::Log {
        payload["properties"]["seq"] = json!({"type": "integer", "minimum": 1,
            "description": "Dense from 1; of a snapshot the last event that it contains."});
    }
    match frame.about {
        About::Person | About::Perhaps => {}
        About::Job => payload["required"] = json!(["type", "job_id", "at", "data"]),
        About::Log => payload["required"] = json!(["type", "job_id", "seq", "at", "data"]),
    }
    payload
}

fn asked(frame: &ClientShape) -> Value {
    json!({
        "type": "object",
        "required": ["type", "data"],
        "properties": {
            "type": {"type": "string", "const": frame.name},
            "ref": {"type": ["string", "null"], "minLength": 1, "maxLength": 64,
                "description": "The client's own name for the frame, repeated in its answer."},
            "data": schema_of(&frame.data),
        },
    })
}

fn acknowledged(frame: &ClientShape) -> Value {
    json!({
        "type": "object",
        "required": ["type", "ref", "data"],
        "properties": {
            "type": {"type": "string", "const": "ack"},
            "ref": {"type": "string"},
            "data": schema_of(&frame.ack),
        },
    })
}

fn refused() -> Value {
    json!({
        "type": "object",
        "required": ["type", "ref", "error"],
        "properties": {
            "type": {"type": "string", "const": "error"},
            "ref": {"type": ["string", "null"]},
            "error": reference("components/schemas", "ErrorDetail"),
            "retry_after_s": {"type": "integer", "minimum": 0,
                "description": "Seconds after which to try again; always there with RATE_LIMITED and UNAVAILABLE."},
        },
    })
}

/// Returns the name of the message of a client's frame: that of its type, made distinct if the server has such a
/// type, too.
fn key_of(frame: &ClientShape, server: &[ServerShape]) -> String {
    match server.iter().any(|sent| sent.name == frame.name) {
        true => format!("{}.asked", frame.name),
        false => frame.name.to_owned(),
    }
}

fn ack_of(frame: &ClientShape) -> String {
    format!("{}.ack", frame.name)
}

fn schema_of(shape: &Shape) -> Value {
    reference("components/schemas", &shape.name)
}

fn reference(place: &str, name: &str) -> Value {
    json!({"$ref": format!("#/{place}/{name}")})
}

fn of_channel(channel: &str, message: &str) -> Value {
    reference(&format!("channels/{channel}/messages"), message)
}

fn listed(names: impl Iterator<Item = String>) -> Value {
    let listed = names.map(|name| {
        let message = reference("components/messages", &name);
        (name, message)
    });
    Value::Object(listed.collect())
}

/// Returns every schema that the messages refer to, directly or not. The schemas of the OpenAPI document are
/// unchanged, so that an object is the same on both ways.
fn schemas(openapi: &Value, server: &[ServerShape], client: &[ClientShape]) -> Value {
    let shapes = server.iter().map(|frame| &frame.data);
    let of_webhooks: Vec<Shape> =
        PartnerEventKind::ALL.iter().map(|kind| webhooks::shape_of(*kind)).collect();
    let shapes = shapes.chain(client.iter().flat_map(|frame| [&frame.data, &frame.ack]));
    let shapes: Vec<&Shape> = shapes.chain(&of_webhooks).collect();
    let mut own: BTreeMap<String, Value> = BTreeMap::new();
    for shape in &shapes {
        own.insert(shape.name.clone(), shape.schema.clone());
        own.extend(shape.parts.iter().cloned());
    }
    let mut wanted: Vec<String> = shapes.iter().map(|shape| shape.name.clone()).collect();
    wanted.extend(["Timestamp".to_owned(), "ErrorDetail".to_owned()]);
    let mut found = Map::new();
    while let Some(name) = wanted.pop() {
        if found.contains_key(&name) {
            continue;
        }
        let shared = openapi["components"]["schemas"].get(&name);
        let mut schema = shared.or(own.get(&name)).cloned().unwrap_or_default();
        illustrate(&mut schema);
        referred(&schema, &mut wanted);
        found.insert(name, schema);
    }
    Value::Object(found)
}

fn referred(value: &Value, names: &mut Vec<String>) {
    match value {
        Value::Object(map) => {
            let target = map.get("$ref").and_then(Value::as_str);
            names.extend(
                target.and_then(|target| target.strip_prefix("#/components/schemas/")).map(str::to_owned),
            );
            map.values().for_each(|value| referred(value, names));
        }
        Value::Array(list) => list.iter().for_each(|value| referred(value, names)),
        _ => {}
    }
}

/// Replaces `example`, which is OpenAPI's own word, by JSON Schema's `examples`.
fn illustrate(schema: &mut Value) {
    let Some(map) = schema.as_object_mut() else { return };
    if let Some(example) = map.remove("example") {
        map.entry("examples").or_insert_with(|| json!([example]));
    }
    for (keyword, nested) in map.iter_mut() {
        match (keyword.as_str(), nested) {
            ("properties", Value::Object(fields)) => fields.values_mut().for_each(illustrate),
            ("items" | "additionalProperties", nested) => illustrate(nested),
            ("allOf" | "oneOf" | "anyOf", Value::Array(parts)) => parts.iter_mut().for_each(illustrate),
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_server_is_where_the_public_url_says() {
        for (url, host, pathname, protocol) in [
            ("http://127.0.0.1:8080", "127.0.0.1:8080", "/", "ws"),
            ("https://api.example/api/v1/", "api.example", "/api/v1", "wss"),
        ] {
            let server = &servers(url)[SOCKET];
            assert_eq!((&server["host"], &server["pathname"]), (&json!(host), &json!(pathname)), "{url}");
            assert_eq!(server["protocol"], protocol, "{url}");
        }
    }

    #[test]
    fn an_example_becomes_one_of_several_and_a_field_of_that_name_stays() {
        let mut schema = json!({"example": 1, "properties": {"example": {"type": "string", "example": "x"}}});
        illustrate(&mut schema);
        let expected =
            json!({"examples": [1], "properties": {"example": {"type": "string", "examples": ["x"]}}});
        assert_eq!(schema, expected);
    }
}
