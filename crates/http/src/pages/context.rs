use std::sync::Arc;

use actix_web::{HttpRequest, web::Data};
use roadcall_base::geo::Point;
use roadcall_platform::core::Core;
use tokio::sync::watch;

use super::{
    branding::Branding, facts::PageFacts, files::AppFiles, job_stop::StopSource, notice::NoticeSource,
    policy::PageHeaders, sent_bytes::SentBytes,
};

/// The shared parts that pages use.
#[derive(Debug, Clone, derive_more::Deref)]
pub struct PagesContext {
    #[deref]
    pub core: Core,
    pub(super) facts: Arc<PageFacts>,
    pub(super) files: Arc<AppFiles>,
    pub(super) branding: Arc<Branding>,
    pub(super) headers: Arc<PageHeaders>,
    pub(super) demo_available: bool,
    /// The place of the demo city, if it differs from the center of the settings' map.
    pub(super) demo_at: Option<watch::Receiver<Option<Point>>>,
    /// The key with which pages subscribe to pushes.
    pub(super) push_key: Arc<str>,
    pub(super) sent_of_map: SentBytes,
    pub(super) stop: Arc<dyn StopSource>,
    pub(super) notice: Arc<dyn NoticeSource>,
}

impl PagesContext {
    pub fn new(
        core: &Core,
        facts: PageFacts,
        files: Arc<AppFiles>,
        demo_at: Option<watch::Receiver<Option<Point>>>,
        push_key: &str,
        (stop, notice): (Arc<dyn StopSource>, Arc<dyn NoticeSource>),
    ) -> Self {
        let branding = Arc::new(Branding::of(&core.settings));
        let headers = Arc::new(PageHeaders::of(&facts, branding.style()));
        Self {
            core: core.clone(),
            facts: Arc::new(facts),
            files,
            branding,
            headers,
            demo_available: demo_at.is_some(),
            demo_at,
            push_key: push_key.into(),
            sent_of_map: SentBytes::default(),
            stop,
            notice,
        }
    }

    /// Returns the place of the demo city while it plays around the person who asked for it.
    pub(super) fn moved_center(&self) -> Option<Point> {
        self.demo_at.as_ref().and_then(|at| *at.borrow())
    }

    /// Says how to get the apps if they are missing; `None` if they exist.
    pub async fn missing_apps(&self) -> Option<&'static str> {
        self.files.missing().await
    }

    /// Returns the context of a request.
    pub fn of(request: &HttpRequest) -> &Data<Self> {
        request.app_data::<Data<Self>>().expect("app/ gives every request this context")
    }
}
