//! Records the present prices.

use std::time::Duration;

use roadcall_actors::{
    dispatcher::pricing::{Market, SkillClass},
    protocol::PricesQuery,
};

use super::queries::{self, SampleColumns};
use crate::{dispatch::context::DispatchContext, jobs, platform::error::ApiResult};

/// How often prices are recorded.
pub const SAMPLE_EVERY: Duration = Duration::from_secs(300);
/// The maximum number of classes in a look: the most expensive ones.
const MAX_SAMPLED: usize = 64;

/// Records the present price of each class, at most [`MAX_SAMPLED`] of them; nothing while prices are off. Returns how
/// many classes were recorded.
pub async fn sample(context: &DispatchContext) -> ApiResult<u64> {
    if !context.dispatch.current().settings.mechanic_prices {
        return Ok(0);
    }
    let markets = context.engine.ask(PricesQuery).await.map_err(jobs::refused)?;
    let columns = SampleColumns::of(&markets);
    if columns.mechanics.is_empty() {
        return Ok(0);
    }
    Ok(queries::keep(&context.db, context.clock.now(), &columns).await?)
}

/// Deletes samples that are older than the dispatcher's records may become, at most `limit` rows at once.
pub async fn sweep(context: &DispatchContext, limit: i64) -> ApiResult<u64> {
    let kept_from = context.clock.now() - context.dispatch.records_kept();
    Ok(queries::sweep(&context.db, kept_from, limit).await?)
}

impl SampleColumns {
    fn of(markets: &[Market]) -> Self {
        let classes =
            markets.iter().flat_map(|market| market.classes.iter().map(move |class| (market, class)));
        let mut classes: Vec<(&Market, &SkillClass)> = classes.collect();
        classes.sort_by(|(_, a), (_, b)| b.price.total_cmp(&a.price));
        classes.truncate(MAX_SAMPLED);
        let mut columns = Self::default();
        classes.into_iter().for_each(|(market, class)| columns.push(market, class));
        columns
    }

    fn push(&mut self, market: &Market, class: &SkillClass) {
        let int = |number: usize| i32::try_from(number).unwrap_or(i32::MAX);
        let categories = class.skills.categories.iter().map(|category| category.0.to_string());
        let vehicle_types = class.skills.vehicle_types.iter().map(|kind| kind.as_str());
        self.near_lats.push(market.near.lat);
        self.near_lngs.push(market.near.lng);
        self.categories.push(categories.collect::<Vec<_>>().join(","));
        self.vehicle_types.push(vehicle_types.collect::<Vec<_>>().join(","));
        self.mechanics.push(int(class.mechanics));
        self.free.push(int(class.free));
        self.calls_per_hour.push(class.calls_per_s * 3600.0);
        self.loads.push(class.load);
        self.prices.push(class.price);
        self.one_mores.push(class.one_more());
    }
}
