//! Connections whose client asks to leave HTTP: sockets.
//!
//! The framework's own loop keeps a read and a write buffer of 8 KiB for each connection, and a mechanic's socket is open for
//! hours with a small frame every few seconds. Here such a connection has no buffers: its bytes are read when the socket's
//! actor asks for them, and a frame is written as the actor made it. While the peer takes nothing, the actor is not polled.

use std::{
    cell::{OnceCell, RefCell},
    future, io,
    mem::{self, MaybeUninit},
    pin::{Pin, pin},
    rc::Rc,
    task::{Context, Poll, ready},
    time::Duration,
};

use actix_codec::{Encoder, Framed, FramedParts};
use actix_http::{
    HttpMessage, Payload, Request, Response,
    body::{BodySize, BoxBody, MessageBody},
    error::PayloadError,
    h1::{Codec, Message},
};
use actix_service::{Service, ServiceFactory, always_ready};
use actix_web::{
    Error,
    dev::{AppConfig, ServiceResponse},
    http::ConnectionType,
    rt::net::TcpStream,
};
use bytes::{Bytes, BytesMut};
use futures_util::{
    FutureExt, Stream,
    future::{LocalBoxFuture, poll_fn},
};
use tokio::{
    io::{AsyncRead, AsyncWrite, ReadBuf},
    time::timeout,
};

use crate::ws::{LeavesHttp, SocketBody};

/// How long the service waits for its peer to close a connection that the service ends.
pub(super) const DISCONNECT_TIMEOUT: Duration = Duration::from_secs(1);
/// The most bytes that are read at once.
const READ_AT_ONCE: usize = 8 * 1024;

/// A request to leave HTTP, with its connection.
type Upgrade = (Request, Framed<TcpStream, Codec>);

/// Makes a worker's app, which answers both kinds of connections.
pub(super) struct WorkerApp<S: ServiceFactory<Request>> {
    app: S,
    made: Rc<OnceCell<Rc<S::Service>>>,
}

/// Serves the connections of a worker that leave HTTP.
pub(super) struct Upgrades<S>(Rc<OnceCell<Rc<S>>>);

/// A connection whose request was answered.
struct Answered {
    connection: Rc<RefCell<TcpStream>>,
    /// The frames of the socket, if one was opened.
    socket: Option<BoxBody>,
}

impl<S: ServiceFactory<Request>> WorkerApp<S> {
    pub(super) fn new(app: S) -> Self {
        Self { app, made: Rc::default() }
    }

    /// Returns the service of connections that leave HTTP, which uses this app once it is made.
    pub(super) fn upgrades(&self) -> Upgrades<S::Service> {
        Upgrades(self.made.clone())
    }
}

impl<S> ServiceFactory<Request> for WorkerApp<S>
where
    S: ServiceFactory<Request, Config = AppConfig>,
    S::Service: 'static,
    S::InitError: 'static,
    S::Future: 'static,
{
    type Response = S::Response;
    type Error = S::Error;
    type Config = ();
    type Service = Rc<S::Service>;
    type InitError = S::InitError;
    type Future = LocalBoxFuture<'static, Result<Self::Service, Self::InitError>>;

    fn new_service(&self, (): ()) -> Self::Future {
        let (app, made) = (self.app.new_service(AppConfig::default()), self.made.clone());
        async move {
            let app = Rc::new(app.await?);
            made.set(app.clone()).ok();
            Ok(app)
        }
        .boxed_local()
    }
}

impl<S, B> ServiceFactory<Upgrade> for Upgrades<S>
where
    S: Service<Request, Response = ServiceResponse<B>, Error = Error> + 'static,
    S::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ();
    type Error = Error;
    type Config = ();
    type Service = Self;
    type InitError = ();
    type Future = future::Ready<Result<Self, ()>>;

    fn new_service(&self, (): ()) -> Self::Future {
        future::ready(Ok(Self(self.0.clone())))
    }
}

impl<S, B> Service<Upgrade> for Upgrades<S>
where
    S: Service<Request, Response = ServiceResponse<B>, Error = Error> + 'static,
    S::Future: 'static,
    B: MessageBody + 'static,
{
    type Response = ();
    type Error = Error;
    type Future = LocalBoxFuture<'static, Result<(), Error>>;

    always_ready!();

    fn call(&self, (mut request, framed): Upgrade) -> Self::Future {
        // The connection counts as open until these data of it are dropped.
        let noted = request.take_conn_data();
        // Boxed, because it takes far more memory than the socket afterwards.
        let answering = Box::pin(answer(self.0.get().cloned(), request, framed));
        async move {
            if let Err(error) = serve(answering).await {
                tracing::debug!(%error, "a connection that had left HTTP broke off");
            }
            drop(noted);
            Ok(())
        }
        .boxed_local()
    }
}

/// Waits for the answer to the request and, if a socket was opened, serves it until it ends.
async fn serve(answering: impl Future<Output = io::Result<Answered>>) -> io::Result<()> {
    let Answered { connection, socket } = answering.await?;
    if let Some(socket) = socket {
        write_frames(socket, &connection).await?;
    }
    close(&connection).await;
    Ok(())
}

/// Sends the answer to the request.
async fn answer<S, B>(
    app: Option<Rc<S>>,
    mut request: Request,
    framed: Framed<TcpStream, Codec>,
) -> io::Result<Answered>
where
    S: Service<Request, Response = ServiceResponse<B>, Error = Error>,
    B: MessageBody + 'static,
{
    // A worker accepts connections once its app is made.
    let Some(app) = app else { return Err(io::ErrorKind::NotConnected.into()) };
    let FramedParts { io, mut codec, read_buf, write_buf: mut out, .. } = framed.into_parts();
    let connection = Rc::new(RefCell::new(io));
    let first = Bytes::copy_from_slice(&read_buf);
    let incoming = Incoming { connection: connection.clone(), first, is_over: false };
    *request.payload() = Payload::Stream { payload: Box::pin(incoming) };
    request.extensions_mut().insert(LeavesHttp);
    let response = match app.call(request).await {
        Ok(response) => Response::<B>::from(response).map_into_boxed_body(),
        Err(error) => Response::<BoxBody>::from(error),
    };
    let (mut head, body) = response.into_parts();
    let socket = head.extensions_mut().remove::<SocketBody>();
    let socket = socket.filter(|_| head.upgrade()).map(|SocketBody(frames)| frames);
    if socket.is_none() {
        // Such a request has a body without an end, so no other request can follow it. The encoder sends a body of unknown length as
        // it is, whatever the head says.
        head.head_mut().set_connection_type(ConnectionType::Close);
        head.head_mut().no_chunking(true);
    }
    let size = socket.as_ref().unwrap_or(&body).size();
    codec.encode(Message::Item((head, size)), &mut out)?;
    if socket.is_some() || matches!(size, BodySize::None | BodySize::Sized(0)) {
        write(&out, &connection).await?;
    } else {
        // Clients of sockets read a refusal's body only if it arrives together with the head.
        write_body(body, codec, out, &connection).await?;
    }
    Ok(Answered { connection, socket })
}

/// Writes what a socket sends, until it ends.
async fn write_frames(socket: BoxBody, connection: &RefCell<TcpStream>) -> io::Result<()> {
    let mut socket = pin!(socket);
    while let Some(frames) = poll_fn(|cx| MessageBody::poll_next(socket.as_mut(), cx)).await {
        write(&frames.map_err(broken)?, connection).await?;
    }
    Ok(())
}

/// Writes the body of a refusal, after what `out` has already.
async fn write_body(
    body: BoxBody,
    mut codec: Codec,
    mut out: BytesMut,
    connection: &RefCell<TcpStream>,
) -> io::Result<()> {
    let mut body = pin!(body);
    while let Some(chunk) = poll_fn(|cx| MessageBody::poll_next(body.as_mut(), cx)).await {
        codec.encode(Message::Chunk(Some(chunk.map_err(broken)?)), &mut out)?;
        write(&out, connection).await?;
        out.clear();
    }
    codec.encode(Message::Chunk(None), &mut out)?;
    write(&out, connection).await
}

fn broken(error: Box<dyn std::error::Error>) -> io::Error {
    tracing::error!(%error, "the answer to a request to leave HTTP broke off");
    io::Error::other(error.to_string())
}

async fn write(bytes: &[u8], connection: &RefCell<TcpStream>) -> io::Result<()> {
    let mut written = 0;
    while written < bytes.len() {
        let left = &bytes[written..];
        let taken = poll_fn(|cx| Pin::new(&mut *connection.borrow_mut()).poll_write(cx, left)).await?;
        if taken == 0 {
            return Err(io::ErrorKind::WriteZero.into());
        }
        written += taken;
    }
    Ok(())
}

/// Closes the connection once the peer has closed its end, so that the peer reads everything that was written; but waits only
/// for so long.
async fn close(connection: &RefCell<TcpStream>) {
    let closing = async {
        poll_fn(|cx| Pin::new(&mut *connection.borrow_mut()).poll_shutdown(cx)).await?;
        while !poll_fn(|cx| poll_read(connection, cx)).await?.is_empty() {}
        Ok::<_, io::Error>(())
    };
    if let Ok(Err(error)) = timeout(DISCONNECT_TIMEOUT, closing).await {
        tracing::debug!(%error, "a connection that had left HTTP broke off at its end");
    }
}

/// Reads the bytes that have arrived; none at the end of the stream.
fn poll_read(connection: &RefCell<TcpStream>, cx: &mut Context<'_>) -> Poll<io::Result<Bytes>> {
    let mut space = [MaybeUninit::<u8>::uninit(); READ_AT_ONCE];
    let mut bytes = ReadBuf::uninit(&mut space);
    ready!(Pin::new(&mut *connection.borrow_mut()).poll_read(cx, &mut bytes))?;
    Poll::Ready(Ok(Bytes::copy_from_slice(bytes.filled())))
}

/// The bytes that a client sends after its request, read when somebody asks for them.
struct Incoming {
    connection: Rc<RefCell<TcpStream>>,
    /// Bytes that arrived together with the request.
    first: Bytes,
    is_over: bool,
}

impl Stream for Incoming {
    type Item = Result<Bytes, PayloadError>;

    fn poll_next(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Self::Item>> {
        if !self.first.is_empty() {
            return Poll::Ready(Some(Ok(mem::take(&mut self.first))));
        }
        if self.is_over {
            return Poll::Ready(None);
        }
        let fault = match ready!(poll_read(&self.connection, cx)) {
            Ok(bytes) if !bytes.is_empty() => return Poll::Ready(Some(Ok(bytes))),
            // A peer that ends its stream without a closing handshake is as good as gone.
            Ok(_) => PayloadError::Incomplete(None),
            Err(error) => PayloadError::Io(error),
        };
        self.is_over = true;
        Poll::Ready(Some(Err(fault)))
    }
}
