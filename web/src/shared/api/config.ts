// What an app needs to know before anybody signs in.
import { NoAnswer } from "./errors";
import { API } from "./session.svelte";

export interface Config {
  environment: "development" | "production";
  currency: string;
  /** What phone numbers begin with here, such as "+91". */
  country_code: string;
  map: { basemap_url: string | null; center: { lat: number; lng: number }; zoom: number };
  payments: { provider: "sandbox" | "razorpay"; checkout_url: string | null; key_id: string | null };
  push: { vapid_public_key: string | null };
  support_phone: string | null;
  demo_available: boolean;
}

// Until every service has the route.
const unknown: Config = {
  environment: "development",
  currency: "INR",
  country_code: "+91",
  map: { basemap_url: null, center: { lat: 12.9716, lng: 77.5946 }, zoom: 12 },
  payments: { provider: "sandbox", checkout_url: null, key_id: null },
  push: { vapid_public_key: null },
  support_phone: null,
  demo_available: false,
};

let known: Promise<Config> | null = null;

/** Asked once; throws `NoAnswer` if the service can't be reached, and asks again then. */
export function config(): Promise<Config> {
  known ??= load();
  return known;
}

async function load(): Promise<Config> {
  try {
    const response = await fetch(`${API}/config`);
    if (response.status === 404) return unknown;
    if (!response.ok) throw new Error(String(response.status));
    return (await response.json()) as Config;
  } catch {
    known = null;
    throw new NoAnswer("The service can't be reached.");
  }
}
