//! The floor for `pings`: the cost of the frameworks on which the service is built, without a service. Each text frame is sent
//! back as it came.

use std::{net::SocketAddr, process::Stdio, time::Duration};

use actix::{Actor, StreamHandler};
use actix_web::{App, Error, HttpRequest, HttpResponse, HttpServer, web};
use actix_web_actors::ws::{self, Message, ProtocolError, WebsocketContext};
use clap::Args;

use roadcall_client::{Api, ClientError, Socket};
use tokio::process::{Child, Command};

use crate::{ANSWER_LIMIT, Failure};

#[derive(Debug, Args)]
pub struct EchoArgs {
    /// The address to listen on, a loopback address
    #[arg(long)]
    listen: SocketAddr,
}

/// Serves until it is killed.
pub fn run(args: EchoArgs) -> Result<(), Failure> {
    // The server needs a system of its own, because this is called within a runtime.
    let served = std::thread::spawn(move || {
        actix_rt::System::new().block_on(async move {
            HttpServer::new(|| App::new().route("/ws", web::get().to(open))).bind(args.listen)?.run().await
        })
    });
    Ok(served.join().map_err(|_| "the echo server panicked")??)
}

/// An echo server in a process of its own, which ends with the run.
#[derive(Debug)]
pub struct Process {
    child: Child,
    api: Api,
}

impl Process {
    pub fn start(listen: SocketAddr) -> Result<Self, Failure> {
        let mut command = Command::new(std::env::current_exe()?);
        command.args(["echo", "--listen", &listen.to_string()]).stdin(Stdio::null()).kill_on_drop(true);
        Ok(Self { child: command.spawn()?, api: Api::new(&format!("http://{listen}"), ANSWER_LIMIT)? })
    }

    pub fn pid(&self) -> Option<u32> {
        self.child.id()
    }

    /// Opens a socket. The server may still be starting.
    pub async fn open(&self) -> Result<Socket, ClientError> {
        for _ in 0..100 {
            if let Ok(socket) = Socket::open(&self.api, "echo").await {
                return Ok(socket);
            }
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        Socket::open(&self.api, "echo").await
    }
}

async fn open(request: HttpRequest, payload: web::Payload) -> Result<HttpResponse, Error> {
    ws::start(Echo, &request, payload)
}

struct Echo;

impl Actor for Echo {
    type Context = WebsocketContext<Self>;
}

impl StreamHandler<Result<Message, ProtocolError>> for Echo {
    fn handle(&mut self, message: Result<Message, ProtocolError>, ctx: &mut Self::Context) {
        match message {
            Ok(Message::Text(text)) => ctx.text(text),
            Ok(Message::Ping(data)) => ctx.pong(&data),
            Ok(Message::Close(reason)) => ctx.close(reason),
            Ok(_) => {}
            Err(_) => ctx.close(None),
        }
    }
}
