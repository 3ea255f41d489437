// Signs a page's browser in to the console like its sign-in, but without the screens; and plays a fleet to its live
// map.
import { expect, type BrowserContext, type Page } from "@playwright/test";
import { ADMIN_PASSWORD, type Person } from "../support/people";
import type { Service } from "../support/service";

/** Signs `admin` in to the console: the next page that the browser opens is theirs. */
export async function enterConsole({ request }: BrowserContext, service: Service, admin: Person): Promise<void> {
  const origin = { origin: service.url };
  const identity = await request.post(`${service.url}/idp/token`, {
    data: { email: admin.phone, password: ADMIN_PASSWORD },
    headers: origin,
  });
  const { idToken } = (await identity.json()) as { idToken: string };
  const answer = await request.post(`${service.url}/api/v1/auth/admin-login`, {
    data: { idpIdToken: idToken },
    headers: { ...origin, "X-Session": "cookie/console" },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
}

/** Opens a page of the console, signed in as `admin`. */
export async function signInConsole(page: Page, service: Service, admin: Person, path = "/"): Promise<void> {
  await enterConsole(page.context(), service, admin);
  await page.goto(`${service.url}/console${path}`);
  await expect(page.getByRole("navigation", { name: "Pages", exact: true })).toBeVisible();
}

const MIDDLE = { lat: 12.9716, lng: 77.5946 };

/** Returns a mechanic who drives in circles around a place. */
function mechanic(n: number, turn: number): { mechanic_profile_id: string } {
  const angle = turn / 10 + n;
  const out = 0.002;
  const place = n % 5_041;
  const moving = {
    lat: MIDDLE.lat + ((place % 71) - 35) * 0.0018 + Math.sin(angle) * out,
    lng: MIDDLE.lng + (Math.floor(place / 71) - 35) * 0.0022 + Math.cos(angle) * out,
    state: n % 5 === 0 ? "busy" : n % 23 === 0 ? "offered" : "free",
    job_id: null,
    seen_at: new Date().toISOString(),
  };
  return { mechanic_profile_id: `00000000-0000-7000-8000-${String(n).padStart(12, "0")}`, ...moving };
}

interface Fleet {
  mechanics: number;
  /** How many move between two frames. */
  moved: number;
  /** How many of them go off duty between two frames and are replaced. */
  relieved?: number;
  everyMs: number;
}

/** Plays the service's side of the socket. Counts the frames. */
export async function playFleet(
  page: Page,
  { mechanics, moved, relieved = 0, everyMs }: Fleet,
): Promise<{ turns: number }> {
  const played = { turns: 0 };
  await page.routeWebSocket(/\/api\/v1\/ws\?/, (socket) => {
    const busy = Math.round(mechanics / 5);
    const counts = { free: mechanics - busy, busy, waiting_jobs: 0, active_jobs: 0 };
    const everywhere = { waiting_jobs: 0, active_jobs: 0, concerns: 0, online: mechanics, free: mechanics - busy };
    const send = (type: string, data: object) =>
      socket.send(JSON.stringify({ type, at: new Date().toISOString(), data }));
    let timer: ReturnType<typeof setInterval> | undefined;
    socket.onMessage((message) => {
      const { type, ref } = JSON.parse(String(message)) as { type: string; ref: string };
      socket.send(JSON.stringify({ type: "ack", ref, data: {} }));
      if (type !== "fleet.subscribe") return;
      clearInterval(timer);
      const onDuty = Array.from({ length: mechanics }, (_, n) => n);
      let next = mechanics;
      send("fleet.snapshot", {
        at: new Date().toISOString(),
        is_aggregated: false,
        counts,
        everywhere,
        mechanics: onDuty.map((n) => mechanic(n, 0)),
        jobs: [],
        cells: [],
      });
      let turn = 0;
      timer = setInterval(() => {
        turn += 1;
        played.turns = turn;
        const first = turn * moved;
        const seats = Array.from({ length: moved }, (_, n) => (first + n) % mechanics);
        const gone = seats.slice(0, relieved).map((seat) => {
          const { mechanic_profile_id } = mechanic(onDuty[seat] ?? 0, 0);
          onDuty[seat] = next;
          next += 1;
          return mechanic_profile_id;
        });
        send("fleet.changed", {
          counts,
          everywhere,
          mechanics: seats.map((seat) => mechanic(onDuty[seat] ?? 0, turn)),
          jobs: [],
          cells: [],
          gone: { mechanics: gone, jobs: [] },
        });
      }, everyMs);
    });
    socket.onClose(() => clearInterval(timer));
    send("hello", { session_id: "1", server_time: new Date().toISOString(), heartbeat_s: 25, location_interval_s: 3 });
  });
  return played;
}
