//! Files that clients hand in: announced (`presign`), sent to the store under a signed link, completed, and then referred to
//! by other areas as URLs. The service itself never fetches a URL that a client wrote.
//!
//! | file | what |
//! | --- | --- |
//! | `state.rs` | what may be handed in, and who may see it (pure) |
//! | `handlers.rs` | announcing, completing, links |
//! | `content.rs` | the local store's door: bytes in and out under signed links |
//! | `refer.rs` | which file URLs a body may hold |
//! | `sweep.rs` | what is deleted, and in which order |
//!
//! The stores themselves are in `providers/storage`.

mod content;
mod dto;
mod handlers;
mod queries;
mod refer;
mod state;
mod sweep;

pub use dto::UploadPurpose;
pub use refer::{AVATAR, CHAT, DOCUMENT, EVIDENCE, ICON, JOB_PHOTO, check_urls, numbered};
pub use sweep::{erase, leave, sweep};

use utoipa_actix_web::service_config::ServiceConfig;

pub fn routes(config: &mut ServiceConfig) {
    config
        .service(handlers::presign_upload)
        .service(handlers::complete_upload)
        .service(handlers::get_upload_link)
        .service(handlers::get_upload_file)
        .service(content::send_upload_content)
        .service(content::fetch_upload_content);
}
