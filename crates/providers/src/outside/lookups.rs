//! Looks up the addresses of hosts. Anybody can name a host whose name server is slow, and a look-up occupies a thread that
//! can't be taken back. Therefore each owner has one look-up at a time, results are remembered, and names are looked up in
//! separate places: names found before, names that were slow before, and all others, among which urgent requests have places of
//! their own.

use std::{
    collections::HashMap,
    io,
    net::{SocketAddr, ToSocketAddrs},
    sync::{Arc, Weak},
    time::Duration,
};

use moka::sync::Cache;
use parking_lot::Mutex;
use reqwest::dns::{Addrs, Name, Resolve, Resolving};
use roadcall_platform::network::is_public;
use tokio::{
    sync::{OwnedSemaphorePermit, Semaphore},
    time::timeout,
};
use uuid::Uuid;

/// The number of threads for each kind of name.
const PLACES: usize = 4;
/// The number of threads for names that were slow before.
const SLOW_PLACES: usize = 2;
/// A look-up that takes longer is slow.
const PATIENCE: Duration = Duration::from_secs(2);
/// How long the addresses of a name are used.
const FOUND_FOR: Duration = Duration::from_secs(300);
/// How long it is remembered that a name was found quickly, or slowly.
const REMEMBERED_FOR: Duration = Duration::from_secs(6 * 3600);
/// The number of names remembered; beyond it, those used least are forgotten.
const REMEMBERED: u64 = 2_000;

/// Why a name has no address for now. It may have one later.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum NotFound {
    #[error("its name is being looked up for too long")]
    Slow,
    #[error("its name leads nowhere, or to no public address")]
    Nowhere,
}

type Find = dyn Fn(&str) -> io::Result<Vec<SocketAddr>> + Send + Sync;

/// Finds public addresses only, so that no name can lead into a network of ours, whatever it led to before.
#[derive(derive_more::Debug)]
#[debug("Lookups {{ .. }}")]
pub(super) struct Lookups {
    find: Box<Find>,
    found: Cache<String, Arc<[SocketAddr]>>,
    /// Names that were found quickly.
    quick: Cache<String, ()>,
    /// Zones with a name that was slow.
    slow: Cache<String, ()>,
    quick_places: Arc<Semaphore>,
    places: Arc<Semaphore>,
    urgent_places: Arc<Semaphore>,
    slow_places: Arc<Semaphore>,
    owners: Mutex<HashMap<Uuid, Weak<tokio::sync::Mutex<()>>>>,
}

impl Lookups {
    pub fn of_the_system() -> Arc<Self> {
        Self::new(|name| Ok((name, 0).to_socket_addrs()?.collect()))
    }

    fn new(find: impl Fn(&str) -> io::Result<Vec<SocketAddr>> + Send + Sync + 'static) -> Arc<Self> {
        let remembered = || Cache::builder().max_capacity(REMEMBERED).time_to_live(REMEMBERED_FOR).build();
        let places = |most| Arc::new(Semaphore::new(most));
        Arc::new(Self {
            find: Box::new(find),
            found: Cache::builder().max_capacity(REMEMBERED).time_to_live(FOUND_FOR).build(),
            quick: remembered(),
            slow: remembered(),
            quick_places: places(PLACES),
            places: places(PLACES),
            urgent_places: places(PLACES),
            slow_places: places(SLOW_PLACES),
            owners: Mutex::default(),
        })
    }

    /// Makes sure that a name's addresses are known, for a request to the host that this owner has named.
    pub async fn look_up(self: &Arc<Self>, owner: Uuid, name: &str, is_urgent: bool) -> Result<(), NotFound> {
        if self.found.contains_key(name) {
            return Ok(());
        }
        let turn = self.turn_of(owner);
        let _turn = timeout(PATIENCE, turn.lock()).await.map_err(|_| NotFound::Slow)?;
        // The owner may have been waiting for this same name.
        if self.found.contains_key(name) {
            return Ok(());
        }
        let place = self.place(name, is_urgent).await?;
        let looking = tokio::task::spawn_blocking({
            let (lookups, name) = (self.clone(), name.to_owned());
            move || {
                // The place is taken until the look-up has ended, even if nobody waits for it.
                let _place = place;
                lookups.find_now(&name)
            }
        });
        match timeout(PATIENCE, looking).await {
            Ok(Ok(true)) => {
                self.quick.insert(name.to_owned(), ());
                Ok(())
            }
            Ok(Ok(false) | Err(_)) => Err(NotFound::Nowhere),
            Err(_) => {
                self.slow.insert(zone(name).to_owned(), ());
                Err(NotFound::Slow)
            }
        }
    }

    /// Returns whether there are public addresses, and remembers them, however long the look-up took.
    fn find_now(&self, name: &str) -> bool {
        let found = (self.find)(name).unwrap_or_default();
        let public: Vec<_> = found.into_iter().filter(|address| is_public(address.ip())).collect();
        if public.is_empty() {
            return false;
        }
        self.found.insert(name.to_owned(), public.into());
        true
    }

    async fn place(&self, name: &str, is_urgent: bool) -> Result<OwnedSemaphorePermit, NotFound> {
        if self.quick.contains_key(name) {
            return waited_for(&self.quick_places).await;
        }
        if self.slow.contains_key(zone(name)) {
            return self.slow_places.clone().try_acquire_owned().map_err(|_| NotFound::Slow);
        }
        waited_for(if is_urgent { &self.urgent_places } else { &self.places }).await
    }

    /// Returns the lock that serialises an owner's look-ups, and forgets unused ones.
    fn turn_of(&self, owner: Uuid) -> Arc<tokio::sync::Mutex<()>> {
        let mut owners = self.owners.lock();
        owners.retain(|_, turn| turn.strong_count() > 0);
        if let Some(turn) = owners.get(&owner).and_then(Weak::upgrade) {
            return turn;
        }
        let turn = Arc::default();
        owners.insert(owner, Arc::downgrade(&turn));
        turn
    }
}

async fn waited_for(places: &Arc<Semaphore>) -> Result<OwnedSemaphorePermit, NotFound> {
    let place = timeout(PATIENCE, places.clone().acquire_owned()).await;
    place.map_err(|_| NotFound::Slow)?.map_err(|_| NotFound::Slow)
}

/// Returns a name without its first label, if enough remains: the owner of a slow name server can invent labels.
fn zone(name: &str) -> &str {
    match name.trim_end_matches('.').split_once('.') {
        Some((_, rest)) if rest.contains('.') => rest,
        _ => name,
    }
}

/// Gives the HTTP client the addresses that [`Lookups::look_up`] has found. It looks nothing up itself.
#[derive(Debug)]
pub(super) struct FoundHosts(pub Arc<Lookups>);

impl Resolve for FoundHosts {
    fn resolve(&self, name: Name) -> Resolving {
        let found = self.0.found.get(name.as_str());
        Box::pin(async move {
            let found = found.ok_or_else(|| io::Error::other("not looked up"))?;
            Ok(Box::new((0..found.len()).map(move |place| found[place])) as Addrs)
        })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::{
        atomic::{AtomicBool, Ordering},
        mpsc,
    };

    use super::*;

    const PUBLIC: &str = "93.184.215.14:0";
    const PRIVATE: &str = "10.1.2.3:0";

    /// Names that begin with "slow" are answered once the sender is dropped.
    fn lookups() -> (Arc<Lookups>, mpsc::Sender<()>) {
        let (sender, receiver) = mpsc::channel::<()>();
        let receiver = Mutex::new(receiver);
        let lookups = Lookups::new(move |name| {
            if name.starts_with("slow") {
                receiver.lock().recv().ok();
            }
            let address = if name.contains("private") { PRIVATE } else { PUBLIC };
            Ok(vec![address.parse().expect("an address")])
        });
        (lookups, sender)
    }

    fn person(number: usize) -> Uuid {
        Uuid::from_u128(number as u128)
    }

    #[tokio::test]
    async fn only_public_addresses_are_found_and_only_known_names_are_resolved() {
        let (lookups, _sender) = lookups();
        assert_eq!(lookups.look_up(person(1), "push.example.com", false).await, Ok(()));
        let nowhere = lookups.look_up(person(1), "private.example.com", false).await;
        assert_eq!(nowhere, Err(NotFound::Nowhere));
        let hosts = FoundHosts(lookups);
        let resolve = |name: &str| hosts.resolve(name.parse().expect("a name"));
        assert_eq!(resolve("push.example.com").await.expect("found").count(), 1);
        assert!(resolve("private.example.com").await.is_err());
        assert!(resolve("other.example.com").await.is_err());
    }

    #[tokio::test]
    async fn a_name_that_moves_into_a_private_network_leads_nowhere() {
        let has_moved = Arc::new(AtomicBool::new(false));
        let moved = has_moved.clone();
        let lookups = Lookups::new(move |_| {
            let address = if moved.load(Ordering::Relaxed) { PRIVATE } else { PUBLIC };
            Ok(vec![address.parse().expect("an address")])
        });
        let hosts = FoundHosts(lookups.clone());
        let resolve = || hosts.resolve("hooks.example.com".parse().expect("a name"));
        assert_eq!(lookups.look_up(person(1), "hooks.example.com", false).await, Ok(()));
        has_moved.store(true, Ordering::Relaxed);
        let found: Vec<SocketAddr> = resolve().await.expect("remembered").collect();
        assert_eq!(found, [PUBLIC.parse().expect("an address")], "the address that was checked");
        lookups.found.invalidate("hooks.example.com");
        let again = lookups.look_up(person(1), "hooks.example.com", false).await;
        assert_eq!(again, Err(NotFound::Nowhere));
        assert!(resolve().await.is_err());
    }

    #[tokio::test]
    async fn slow_names_of_many_people_leave_places_for_others() {
        let (lookups, sender) = lookups();
        lookups.look_up(person(0), "known.example.com", false).await.expect("quick");
        let slow = (1..=2 * PLACES).map(|number| {
            let lookups = lookups.clone();
            async move {
                let name = format!("slow{number}.evil{number}.example");
                lookups.look_up(person(number), &name, false).await
            }
        });
        assert!(
            futures_util::future::join_all(slow).await.iter().all(|looked| *looked == Err(NotFound::Slow))
        );
        assert_eq!(lookups.places.available_permits(), 0, "they still occupy their threads");
        lookups.found.invalidate("known.example.com");
        assert_eq!(
            lookups.look_up(person(20), "known.example.com", false).await,
            Ok(()),
            "known names have places"
        );
        assert_eq!(
            lookups.look_up(person(21), "new.example.com", true).await,
            Ok(()),
            "and so have urgent pushes"
        );
        drop(sender);
    }

    #[tokio::test]
    async fn ten_slow_names_of_one_person_take_one_place_and_are_remembered_by_zone() {
        let (lookups, sender) = lookups();
        let slow = (0..10).map(|number| {
            let lookups = lookups.clone();
            async move { lookups.look_up(person(1), &format!("slow{number}.evil.example"), false).await }
        });
        assert!(
            futures_util::future::join_all(slow).await.iter().all(|looked| *looked == Err(NotFound::Slow))
        );
        let taken = PLACES - lookups.places.available_permits();
        assert_eq!(taken, 1, "the first; the others come to the places of slow names, or have no turn");
        assert!(lookups.slow.contains_key("evil.example"));
        for _ in 0..SLOW_PLACES {
            lookups.look_up(person(2), "slow.evil.example", true).await.expect_err("it is slow");
        }
        assert_eq!(lookups.slow_places.available_permits(), 0);
        assert_eq!(PLACES - lookups.places.available_permits(), 1);
        assert_eq!(lookups.urgent_places.available_permits(), PLACES, "not even as urgent");
        drop(sender);
    }

    #[test]
    fn a_zone_leaves_out_a_label_that_anybody_can_invent() {
        for (name, expected) in [
            ("slow1.evil.example", "evil.example"),
            ("a.b.evil.example", "b.evil.example"),
            ("evil.example", "evil.example"),
            ("example", "example"),
        ] {
            assert_eq!(zone(name), expected);
        }
    }
}
