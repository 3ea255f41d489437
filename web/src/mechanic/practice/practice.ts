// An offer to practise with, which the service knows nothing about. Pure.
import type { Schemas } from "$shared/api/client";
import type { Offer } from "../offers/offers";

/** As long as most offers stay open. */
export const PRACTICE_S = 20;

/** How the practice ended: `real` if a real offer arrived meanwhile. */
export type Result = "accepted" | "declined" | "expired" | "real";

type Category = Pick<Schemas["ServiceCategory"], "id" | "name" | "slug">;

/** Returns the most likely offer for the mechanic: a job of a kind that they serve. `now` is by the service's clock. */
export function practiceOffer(category: Category, now: number): Offer {
  return {
    id: "practice",
    job_id: "practice",
    mechanic_profile_id: "practice",
    status: "pending",
    round: 1,
    distance_m: 2_400,
    eta_s: 480,
    eta_source: "straight_line",
    estimated_price: 399,
    estimated_earnings: 340,
    destination: null,
    partner: null,
    created_at: new Date(now).toISOString(),
    expires_at: new Date(now + PRACTICE_S * 1000).toISOString(),
    job: {
      service_category_id: category.id,
      service_category_name: category.name,
      service_category_slug: category.slug,
      description: null,
      photo_count: 0,
      vehicle_type: "two_wheeler",
      vehicle_make: "Hero",
      vehicle_model: "Splendor",
      pickup_lat: 0,
      pickup_lng: 0,
      urgency: "normal",
    },
  };
}

/** Returns the kind of help to practise with: the first that the mechanic serves, else any. */
export function practiceCategory<C extends Category>(categories: readonly C[], served: readonly string[]): C | null {
  return categories.find(({ id }) => served.includes(id)) ?? categories[0] ?? null;
}
