//! The events of a run, decided by a seed before it starts: which, how often, and in what order.

use rand::{RngExt, SeedableRng, rngs::StdRng, seq::SliceRandom};
use serde_json::json;

/// A gateway's event about an order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    /// An attempt failed before the one that succeeded.
    Failed,
    Authorized,
    Captured,
    OrderPaid,
}

impl Kind {
    fn name(self) -> &'static str {
        match self {
            Kind::Failed => "payment.failed",
            Kind::Authorized => "payment.authorized",
            Kind::Captured => "payment.captured",
            Kind::OrderPaid => "order.paid",
        }
    }
}

/// One delivery of an event.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Delivery {
    /// The event's id, which is the same for each delivery.
    pub event_id: String,
    pub body: String,
}

/// Plans `events` deliveries about `orders` orders, of which `duplicates` are repeats, in random order. Each order has the three
/// events of its payment, and the remaining events are failed tries.
pub fn deliveries(
    run: &str,
    orders: &[Order],
    events: usize,
    duplicates: usize,
    seed: u64,
) -> Option<Vec<Delivery>> {
    let failed = events.checked_sub(duplicates)?.checked_sub(orders.len() * 3)?;
    if failed > orders.len() || orders.is_empty() {
        return None;
    }
    let mut random = StdRng::seed_from_u64(seed);
    let mut all = Vec::with_capacity(events);
    for (n, order) in orders.iter().enumerate() {
        for kind in [Kind::Authorized, Kind::Captured, Kind::OrderPaid] {
            all.push(order.delivery(run, n, kind));
        }
    }
    all.extend(orders.iter().enumerate().take(failed).map(|(n, order)| order.delivery(run, n, Kind::Failed)));
    let distinct = all.len();
    for _ in 0..duplicates {
        all.push(all[random.random_range(0..distinct)].clone());
    }
    all.shuffle(&mut random);
    Some(all)
}

/// An order that was made at the gateway.
#[derive(Debug, Clone)]
pub struct Order {
    pub id: String,
    pub amount_paise: i64,
}

impl Order {
    /// Builds a delivery in the shape, and of about the size, that Razorpay documents.
    fn delivery(&self, run: &str, n: usize, kind: Kind) -> Delivery {
        let is_paid = matches!(kind, Kind::Captured | Kind::OrderPaid);
        let (status, attempt) = match kind {
            Kind::Failed => ("failed", format!("pay_{run}f{n}")),
            Kind::Authorized => ("authorized", format!("pay_{run}p{n}")),
            Kind::Captured | Kind::OrderPaid => ("captured", format!("pay_{run}p{n}")),
        };
        let mut payload = json!({"payment": {"entity": {
            "id": attempt, "entity": "payment", "amount": self.amount_paise, "currency": "INR", "status": status,
            "order_id": self.id, "invoice_id": null, "international": false, "method": "upi",
            "amount_refunded": 0, "refund_status": null, "captured": is_paid,
            "description": "Roadside assistance", "card_id": null, "bank": null, "wallet": null,
            "vpa": "somebody@bank", "email": "somebody@example.com", "contact": "+910000000000", "notes": [],
            "fee": null, "tax": null, "error_code": null, "error_description": null, "created_at": 1_770_000_000,
        }}});
        let mut contains = vec!["payment"];
        if kind == Kind::OrderPaid {
            payload["order"] = json!({"entity": {
                "id": self.id, "entity": "order", "amount": self.amount_paise, "amount_paid": self.amount_paise,
                "amount_due": 0, "currency": "INR", "receipt": null, "status": "paid", "attempts": 1, "notes": [],
                "created_at": 1_770_000_000,
            }});
            contains.push("order");
        }
        let body = json!({
            "entity": "event", "account_id": "acc_bench", "event": kind.name(), "contains": contains,
            "payload": payload, "created_at": 1_770_000_000,
        });
        Delivery { event_id: format!("evt_{run}{n}{}", kind.name()), body: body.to_string() }
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::*;

    fn orders(count: usize) -> Vec<Order> {
        (0..count).map(|n| Order { id: format!("order_{n}"), amount_paise: 29_900 }).collect()
    }

    #[test]
    fn a_plan_has_its_duplicates_and_captures_every_order() {
        let orders = orders(250);
        let plan = deliveries("r", &orders, 1_000, 100, 1).expect("a plan");
        assert_eq!(plan.len(), 1_000);
        let ids: HashSet<&str> = plan.iter().map(|one| one.event_id.as_str()).collect();
        assert_eq!(ids.len(), 900);
        for order in &orders {
            let of_it = |kind: &str| {
                plan.iter().any(|one| {
                    one.body.contains(&format!("{:?}", order.id)) && one.body.contains(&format!("\"{kind}\""))
                })
            };
            assert!(["payment.authorized", "payment.captured", "order.paid"].into_iter().all(of_it));
        }
        assert_eq!(plan, deliveries("r", &orders, 1_000, 100, 1).expect("the same"));
    }

    #[test]
    fn an_impossible_plan_is_refused() {
        assert_eq!(deliveries("r", &orders(10), 20, 0, 1), None);
        assert_eq!(deliveries("r", &orders(10), 60, 0, 1), None);
        assert_eq!(deliveries("r", &[], 0, 0, 1), None);
    }
}
