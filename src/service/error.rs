//! Why a start can fail.

use std::{io, net::SocketAddr};

use crate::{
    accounts::auth,
    fleet::eta,
    platform::{bus::BusError, db::DbError},
    providers::{places, push, rooms, storage::StorageError},
    service::MoneyError,
};

/// Why the service did not start, or stopped by itself.
#[derive(Debug, thiserror::Error)]
pub enum StartError {
    #[error(transparent)]
    Database(#[from] DbError),
    #[error(transparent)]
    Bus(#[from] BusError),
    #[error(transparent)]
    Auth(#[from] auth::AuthStartError),
    #[error(transparent)]
    Eta(#[from] eta::EtaStartError),
    #[error(transparent)]
    Money(#[from] MoneyError),
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Push(#[from] push::PushStartError),
    #[error(transparent)]
    Rooms(#[from] rooms::RoomsError),
    #[error(transparent)]
    Places(#[from] places::PlacesStartError),
    #[error("the client for webhooks: {0}")]
    Webhooks(reqwest::Error),
    #[error("the client for the collector of traces: {0}")]
    Traces(reqwest::Error),
    #[error("can't listen on {address}: {source}")]
    Listen { address: SocketAddr, source: io::Error },
    #[error("what was committed before could not be taken up: {0}")]
    Recovery(sqlx::Error),
    #[error("the HTTP server ended: {0}")]
    Http(#[from] io::Error),
}
