//! The show itself: everyone signs up, breakdowns happen, and at the end everyone goes home.

use std::{sync::Arc, time::Duration};

use roadcall_actors::{clock::Clock, random::Random};
use tokio::{
    sync::{Mutex, mpsc, watch},
    task::JoinSet,
    time::{sleep, timeout},
};

use super::{
    api::{Api, Category, Fault, Person},
    city::{City, Curtain},
    customer::{Breakdown, Breakdowns, Customer},
    dice::Dice,
    mechanic::Mechanic,
    scenario::Scenario,
    tally::{News, Tally},
};

/// Breakdowns that wait for a customer who is free; one more is counted and does not happen.
const WAITING: usize = 4;
/// How long the first breakdowns wait for the first mechanic to be online.
const ONLINE_WAIT: Duration = Duration::from_secs(10);
/// How long everyone has to say goodbye.
const GOODBYE: Duration = Duration::from_secs(15);
/// People who sign up at once.
const SIGN_UPS: usize = 8;

// Streams of draws: mechanics count from 0, customers from here on.
const CUSTOMER_DICE: u64 = 10_000;
const DEMAND_DICE: u64 = 20_000;

/// The service to play in front of, and who may verify mechanics there.
#[derive(Clone)]
pub struct Venue {
    /// Such as `http://127.0.0.1:8090`.
    pub base: String,
    pub admin_email: String,
    pub admin_password: String,
}

impl std::fmt::Debug for Venue {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Venue").field("base", &self.base).finish_non_exhaustive()
    }
}

/// Why a show can't begin.
#[derive(Debug, thiserror::Error)]
pub enum ShowError {
    #[error(transparent)]
    Fault(#[from] Fault),
    #[error("the scenario: {key}: the service knows no category {slug}; it knows {known}")]
    NoCategory { key: String, slug: String, known: String },
    #[error(
        "the scenario: demand.mix_percent.{slug}: the category must serve all of customers.vehicle_types"
    )]
    NoVehicle { slug: String },
    #[error("someone could not sign up: {0}")]
    SignUp(String),
}

/// A show that is running. Dropped, it ends at once.
#[derive(Debug)]
pub struct Show {
    pub city: Arc<City>,
    /// The number of one of the customers.
    pub phone: String,
    /// No new breakdowns.
    closing: watch::Sender<bool>,
    /// Everyone goes home.
    curtain: watch::Sender<bool>,
    people: JoinSet<()>,
}

/// Those who have signed up.
#[derive(Debug)]
struct Cast {
    city: Arc<City>,
    api: Api,
    categories: Vec<Category>,
    /// The first digits of everyone's phone number, drawn anew for each show: a number may ask for few one-time
    /// passwords an hour.
    prefix: String,
}

impl Show {
    /// Signs everyone up, and lets the first breakdown happen once mechanics are online.
    pub async fn start(scenario: Scenario, venue: &Venue, clock: Clock) -> Result<Self, ShowError> {
        let api = Api::new(&venue.base)?;
        let admin = api.sign_in_admin(&venue.admin_email, &venue.admin_password).await?;
        let categories = admin.categories().await?;
        let prefix = format!("+917{}", Random::system().digits(5));
        let city = Arc::new(City::new(scenario, clock));
        let cast = Arc::new(Cast { city: city.clone(), api, categories, prefix });
        let mix = cast.mix()?;
        cast.check_mechanics()?;
        let mechanics =
            sign_up(city.scenario.mechanics.len(), |index| mechanic(cast.clone(), admin.clone(), index));
        let mechanics = mechanics.await?;
        let customers =
            sign_up(city.scenario.customers.names.len(), |index| customer(cast.clone(), index)).await?;
        let (closing, closed) = Curtain::new();
        let (curtain, fallen) = Curtain::new();
        let (breakdowns, waiting) = mpsc::channel(WAITING);
        let waiting: Breakdowns = Arc::new(Mutex::new(waiting));
        let mut people = JoinSet::new();
        for mechanic in mechanics {
            people.spawn(mechanic.live(fallen.clone()));
        }
        for customer in customers {
            people.spawn(customer.live(waiting.clone(), fallen.clone()));
        }
        people.spawn(demand(city.clone(), mix, breakdowns, closed));
        Ok(Self { city, phone: cast.phone(CUSTOMER_DICE), closing, curtain, people })
    }

    /// Lets no further breakdown happen, and waits for the open jobs, and for what is still to be paid, as long as
    /// `patience` lasts.
    pub async fn wind_down(&self, patience: impl Future<Output = ()>) {
        self.closing.send_replace(true);
        tokio::select! {
            () = self.city.until(|tally| tally.open.is_empty() && tally.takings.owing.is_empty()) => {}
            () = patience => {}
        }
    }

    /// Everyone cancels what is open, goes offline and home.
    pub async fn end(mut self) -> Tally {
        self.closing.send_replace(true);
        self.curtain.send_replace(true);
        let all_gone = async { while self.people.join_next().await.is_some() {} };
        if timeout(GOODBYE, all_gone).await.is_err() {
            self.city.trouble("the demo", "not everyone went home in time");
        }
        self.city.tally()
    }
}

/// Does `one` for each of so many, a few at once. Ends with the first that fails.
async fn sign_up<T, F>(count: usize, one: impl Fn(usize) -> F) -> Result<Vec<T>, ShowError>
where
    T: Send + 'static,
    F: Future<Output = Result<T, Fault>> + Send + 'static,
{
    let (mut running, mut done) = (JoinSet::new(), Vec::with_capacity(count));
    let mut next = 0;
    while done.len() < count {
        while next < count && running.len() < SIGN_UPS {
            running.spawn(one(next));
            next += 1;
        }
        match running.join_next().await {
            Some(Ok(person)) => done.push(person?),
            Some(Err(error)) => return Err(ShowError::SignUp(error.to_string())),
            None => break,
        }
    }
    Ok(done)
}

async fn mechanic(cast: Arc<Cast>, admin: Person, index: usize) -> Result<Mechanic, Fault> {
    let spec = cast.city.scenario.mechanics[index].clone();
    let person = cast.api.sign_in(&cast.phone(index as u64), &spec.name).await?;
    let dice = cast.dice(index as u64);
    Mechanic::settle(spec, person, &admin, &cast.categories, cast.city.clone(), dice).await
}

async fn customer(cast: Arc<Cast>, index: usize) -> Result<Customer, Fault> {
    let customers = &cast.city.scenario.customers;
    let number = CUSTOMER_DICE + index as u64;
    let name = customers.names[index].clone();
    let person = cast.api.sign_in(&cast.phone(number), &name).await?;
    let vehicle_type = &customers.vehicle_types[index % customers.vehicle_types.len()];
    Customer::settle(name, person, vehicle_type, cast.city.clone(), cast.dice(number)).await
}

impl Cast {
    fn dice(&self, number: u64) -> Dice {
        Dice::of(self.city.scenario.seed, number)
    }

    /// Ten digits after the country's code, as numbers of India have.
    fn phone(&self, number: u64) -> String {
        format!("{}{:04}", self.prefix, (number % CUSTOMER_DICE) + 5_000 * (number / CUSTOMER_DICE))
    }

    fn find(&self, slug: &str, key: impl ToString) -> Result<&Category, ShowError> {
        self.categories.iter().find(|category| category.slug == slug).ok_or_else(|| {
            let known: Vec<&str> = self.categories.iter().map(|category| category.slug.as_str()).collect();
            ShowError::NoCategory { key: key.to_string(), slug: slug.to_owned(), known: known.join(", ") }
        })
    }

    /// The categories to ask for with their weights.
    fn mix(&self) -> Result<Vec<(Category, f64)>, ShowError> {
        let Scenario { demand, customers, .. } = &self.city.scenario;
        let wanted = demand.mix_percent.iter().filter(|(_, percent)| **percent > 0.0);
        wanted
            .map(|(slug, percent)| {
                let category = self.find(slug, "demand.mix_percent")?;
                let serves_all =
                    customers.vehicle_types.iter().all(|kind| category.vehicle_types.contains(kind));
                if serves_all {
                    Ok((category.clone(), *percent))
                } else {
                    Err(ShowError::NoVehicle { slug: slug.clone() })
                }
            })
            .collect()
    }

    fn check_mechanics(&self) -> Result<(), ShowError> {
        for (index, mechanic) in self.city.scenario.mechanics.iter().enumerate() {
            for slug in mechanic.categories.iter().flatten() {
                self.find(slug, format!("mechanics[{index}].categories"))?;
            }
        }
        Ok(())
    }
}

/// Breakdowns at random times and places.
async fn demand(
    city: Arc<City>,
    mix: Vec<(Category, f64)>,
    breakdowns: mpsc::Sender<Breakdown>,
    mut closed: Curtain,
) {
    let dice = Dice::of(city.scenario.seed, DEMAND_DICE);
    timeout(ONLINE_WAIT, city.until(|tally| tally.mechanics_online() > 0)).await.ok();
    loop {
        let (Some(category), Some(place)) = (dice.weighted(&mix), dice.pick(&city.scenario.places)) else {
            return;
        };
        let point = dice.near(place.point(), city.scenario.demand.spread_m);
        let breakdown = Breakdown { category: category.clone(), place: place.name.clone(), point };
        if breakdowns.try_send(breakdown).is_err() {
            city.tell(News::NobodyFree);
        }
        tokio::select! {
            () = sleep(dice.gap(city.scenario.demand.jobs_per_minute)) => {}
            () = closed.fallen() => break,
        }
    }
    // What waits for a customer does not happen any more: the sender's end says so to all that wait for it.
}
