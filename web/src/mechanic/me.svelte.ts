// The mechanic: account, profile, kinds of help; and whether they want jobs.
import { answer, api, type Schemas } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { Newest } from "$shared/api/newest";
import { session } from "$shared/api/session.svelte";
import { socket } from "$shared/api/socket.svelte";
import { consent } from "$shared/privacy/consent.svelte";
import { onVisible } from "$shared/visible";

export type Profile = Schemas["OwnMechanicProfile"];

/** `none`: the person has no profile yet. */
export type State = "unknown" | "none" | "ready" | "unreachable";

/** Notifications after which the profile has changed. */
const ABOUT_PROFILE: readonly Schemas["Notification"]["type"][] = [
  "mechanic_verified",
  "mechanic_rejected",
  "mechanic_suspended",
  "mechanic_reinstated",
  "mechanic_change_approved",
  "mechanic_change_rejected",
  "rating_received",
];

const DAY_KEY = "roadcall-mechanic-wants-jobs";

class Mechanic {
  state: State = $state("unknown");
  /** The refusal at the start, if the service answered at all. */
  refused = $state.raw<Refusal | null>(null);
  user = $state.raw<Schemas["Me"] | null>(null);
  profile = $state.raw<Profile | null>(null);
  categories = $state.raw<Schemas["ServiceCategory"][]>([]);
  /** Whether the service switched the mechanic off, because the phone sent nothing for 15 minutes. */
  wasSwitchedOff = $state(false);

  readonly #newest = new Newest();
  /** The number of changes of the profile on this device. */
  #changes = 0;
  #endings: (() => void)[] = [];

  get isVerified(): boolean {
    return this.profile?.status === "verified";
  }

  get isAvailable(): boolean {
    return this.profile?.is_available ?? false;
  }

  start(): void {
    if (this.#endings.length > 0) return;
    this.#endings = [
      socket.onOpen(() => void this.load()),
      socket.on("notification.created", ({ data }) => {
        if (ABOUT_PROFILE.includes(data.type)) void this.load();
      }),
      onVisible(() => {
        if (session.state === "signed_in") void this.load();
      }),
    ];
  }

  stop(): void {
    for (const end of this.#endings) end();
    this.#endings = [];
    this.#newest.overtake();
    this.state = "unknown";
    this.user = null;
    this.profile = null;
  }

  /** Loads everything from the service again. The known data stay if it can't be reached. */
  async load(): Promise<void> {
    await this.#newest.ask(
      () => this.#ask(),
      ([user, profile, categories]) => {
        this.user = user;
        this.categories = [...categories].sort((a, b) => a.sort_order - b.sort_order);
        this.refused = null;
        this.take(profile);
      },
      (error) => {
        this.refused = error instanceof Refusal ? error : null;
        if (error instanceof Refusal && error.status === 403) this.state = "none";
        else if (this.state === "unknown") this.state = "unreachable";
      },
    );
  }

  async #ask(): Promise<[Schemas["Me"], Profile | null, readonly Schemas["ServiceCategory"][]]> {
    const changes = this.#changes;
    const account = answer(api.GET("/users/me"));
    // The profile of a person who has none yet is not requested.
    const hasProfile = this.profile !== null || (await account).mechanic_profile_id !== null;
    const found = await Promise.all([
      account,
      hasProfile ? answer(api.GET("/mechanics/me")) : null,
      this.categories.length > 0 ? this.categories : answer(api.GET("/service-categories")).then(({ data }) => data),
    ]);
    // Data that were read before a change may arrive after it.
    return changes === this.#changes ? found : this.#ask();
  }

  take(profile: Profile | null): void {
    this.profile = profile;
    this.state = profile === null ? "none" : "ready";
    if (profile === null) return;
    this.wasSwitchedOff =
      profile.status === "verified" && !profile.is_available && localStorage.getItem(DAY_KEY) === profile.id;
  }

  /** Switches between online and offline. `place` counts as a position taken now. */
  async setAvailable(isAvailable: boolean, place: { lat: number; lng: number } | null): Promise<void> {
    const body = { is_available: isAvailable, ...(place && isAvailable ? { lat: place.lat, lng: place.lng } : {}) };
    const changed = await consent.first(() => answer(api.PUT("/mechanics/me/availability", { body })));
    this.#changes += 1;
    if (isAvailable) localStorage.setItem(DAY_KEY, changed.id);
    else localStorage.removeItem(DAY_KEY);
    this.wasSwitchedOff = false;
    if (this.profile !== null) this.profile = { ...this.profile, ...changed };
    // The newest socket that sends this gets the offers.
    await socket.command("availability.set", { is_available: isAvailable }).catch(() => {});
  }

  categoryName(id: string): string {
    return this.categories.find((category) => category.id === id)?.name ?? "";
  }
}

export const mechanic = new Mechanic();
