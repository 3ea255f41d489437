//! Forwards connections from one address to another, as if the server listened there itself.

use std::net::SocketAddr;

use clap::Args;
use tokio::{
    io::copy_bidirectional,
    net::{TcpListener, TcpStream},
};

use crate::Failure;

#[derive(Debug, Args)]
pub struct RelayArgs {
    #[arg(long)]
    listen: SocketAddr,
    #[arg(long)]
    to: SocketAddr,
}

/// Forwards connections until it is killed.
pub async fn run(args: RelayArgs) -> Result<(), Failure> {
    let listener = TcpListener::bind(args.listen).await?;
    loop {
        let (mut client, _) = listener.accept().await?;
        tokio::spawn(async move {
            let Ok(mut server) = TcpStream::connect(args.to).await else { return };
            client.set_nodelay(true).ok();
            server.set_nodelay(true).ok();
            // Either end may go at any time.
            copy_bidirectional(&mut client, &mut server).await.ok();
        });
    }
}
