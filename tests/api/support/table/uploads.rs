//! Links to the local store are their own credentials.

use super::{OWNER, OWNER_OR_PEOPLE, Object, PUBLIC, Row, SIGNED_IN, World, nothing, row};
use crate::support::uploads::{announcement, photo, presigned, sent, uploaded};

pub const ROWS: &[Row] = &[
    row("POST /uploads/presign", SIGNED_IN).body(|| announcement("document", &photo())),
    row("PUT /uploads/{id}/content", PUBLIC).of(PUT_LINK),
    row("GET /uploads/{id}/content", PUBLIC).of(GET_LINK),
    row("POST /uploads/{id}/complete", OWNER).of(SENT_UPLOAD).body(nothing),
    row("GET /uploads/{id}", OWNER).of(UPLOAD),
    row("DELETE /uploads/{id}", OWNER).of(UPLOAD),
    row("GET /uploads/{id}/link", OWNER_OR_PEOPLE).of(UPLOAD),
    row("GET /uploads/{id}/file", OWNER_OR_PEOPLE).of(UPLOAD),
];

/// The customer's document, complete.
const UPLOAD: Object =
    Object::Id(|world| Box::pin(async { uploaded(world.customer(), "document", &photo()).await.id }));

/// The customer's document, uploaded but not completed.
const SENT_UPLOAD: Object =
    Object::Id(|world| Box::pin(async { sent(world.customer(), "document", &photo()).await.id }));

/// A link to upload a document.
const PUT_LINK: Object = Object::Path(|world| {
    Box::pin(async { presigned(world.customer(), "document", &photo()).await.put_path })
});

/// A link to download a document.
const GET_LINK: Object = Object::Path(|world| Box::pin(get_link(world)));

async fn get_link(world: &World<'_>) -> String {
    let upload = uploaded(world.customer(), "document", &photo()).await;
    upload.link_path(world.customer()).await
}
