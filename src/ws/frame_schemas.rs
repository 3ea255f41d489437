//! The shape of each type of frame, for the AsyncAPI document. It is declared with the type (`protocol/`), using the
//! schemas of the OpenAPI document.

use serde_json::Value;
use utoipa::ToSchema;

use super::protocol::{ClientType, ServerType};

/// The fields that the envelope of a server's frame carries besides `type`, `at` and `data`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum About {
    /// Nothing more: the frame is about the person or the connection.
    Person,
    /// `job_id`
    Job,
    /// `job_id` and `seq`: the frame is an event of the job's log.
    Log,
    /// `job_id`, or nothing.
    Perhaps,
}

/// The clients that get a frame.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Audience {
    Socket,
    /// Sockets, and streams of one job.
    Both,
}

/// The schema of a frame's data.
#[derive(Debug, Clone)]
pub struct Shape {
    pub name: String,
    pub schema: Value,
    /// The schemas that this one refers to, by name.
    pub parts: Vec<(String, Value)>,
}

impl Shape {
    pub fn of<T: ToSchema>() -> Self {
        let json = |schema| serde_json::to_value(schema).expect("a schema of strings and numbers is JSON");
        let mut parts = Vec::new();
        T::schemas(&mut parts);
        let parts = parts.into_iter().map(|(name, schema)| (name, json(schema)));
        Self { name: T::name().into_owned(), schema: json(T::schema()), parts: parts.collect() }
    }
}

/// A frame that the server sends on its own.
#[derive(Debug, Clone)]
pub struct ServerShape {
    pub name: &'static str,
    pub data: Shape,
    pub about: About,
    pub audience: Audience,
    pub summary: &'static str,
}

/// A frame that a client sends, and its acknowledgement.
#[derive(Debug, Clone)]
pub struct ClientShape {
    pub name: &'static str,
    pub data: Shape,
    pub ack: Shape,
    pub summary: &'static str,
}

/// Returns the shapes of all frames that the server sends, except the answers `ack` and `error`.
pub fn server_shapes() -> Vec<ServerShape> {
    ServerType::ALL.iter().map(|kind| kind.shape()).collect()
}

/// Returns the shapes of all frames that a client may send.
pub fn client_shapes() -> Vec<ClientShape> {
    ClientType::ALL.iter().map(|kind| kind.shape()).collect()
}

/// Declares what the server sends: the name on the wire, the type of its data, its subject, its audience and its
/// occasion.
macro_rules! server_frames {
    ($($variant:ident = $text:tt: $data:ty, $about:ident, $audience:ident, $summary:literal;)*) => {
        text_enum! {
            /// The types of the server's frames, except the answers `ack` and `error`.
            ServerType { $($variant = $text,)* }
        }

        impl ServerType {
            /// Returns the shape of a frame of this type.
            pub(in crate::ws) fn shape(self) -> crate::ws::frame_schemas::ServerShape {
                match self { $(ServerType::$variant => crate::ws::frame_schemas::ServerShape {
                    name: self.as_str(),
                    data: Shape::of::<$data>(),
                    about: About::$about,
                    audience: Audience::$audience,
                    summary: $summary,
                },)* }
            }
        }
    };
}

/// Declares what a client may send: the name on the wire, the types of its data and of its acknowledgement's data, and
/// its purpose.
macro_rules! client_frames {
    ($($variant:ident = $text:tt: $data:ty => $ack:ty, $summary:literal;)*) => {
        text_enum! {
            /// The types of a client's frames.
            ClientType { $($variant = $text,)* }
        }

        impl ClientType {
            /// Returns the shapes of a frame of this type and of its acknowledgement.
            pub(in crate::ws) fn shape(self) -> crate::ws::frame_schemas::ClientShape {
                match self { $(ClientType::$variant => crate::ws::frame_schemas::ClientShape {
                    name: self.as_str(),
                    data: Shape::of::<$data>(),
                    ack: Shape::of::<$ack>(),
                    summary: $summary,
                },)* }
            }
        }
    };
}

pub(super) use {client_frames, server_frames};
