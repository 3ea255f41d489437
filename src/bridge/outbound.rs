//! The engine's reports: to sockets, and to the parts that notify customers of long searches and of mechanics who come near.

use roadcall_actors::{
    clock::Clock,
    ports::{Announcement, Outbound},
};

use crate::{
    cluster::Announcements,
    jobs::{LongSearches, NearMechanics},
    ws::Hub,
};

/// Passes everything on, and never waits.
#[derive(Debug, Clone)]
pub struct Reports {
    pub hub: Hub,
    pub searches: LongSearches,
    pub near: NearMechanics,
    pub clock: Clock,
    /// The reports to other servers, if there are any.
    pub elsewhere: Option<Announcements>,
}

impl Outbound for Reports {
    fn announce(&self, announcement: Announcement) {
        match &announcement {
            Announcement::Outlook { job, outlook } => self.searches.note(*job, outlook, self.clock.now()),
            Announcement::Assigned { job, is_on_it: true, .. } => self.searches.forget(*job),
            Announcement::Located(sighting) => self.near.note(sighting),
            Announcement::JobChanged { job, .. } => self.near.look_again(*job),
            _ => {}
        }
        if let Some(elsewhere) = &self.elsewhere {
            elsewhere.pass_on(announcement.clone());
        }
        self.hub.announce(announcement);
    }
}
