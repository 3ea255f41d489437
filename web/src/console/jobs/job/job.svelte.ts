// All data about one job, kept up to date while its page is shown.
import { answer, api, type Schemas } from "$shared/api/client";
import { Refusal } from "$shared/api/errors";
import { Newest } from "$shared/api/newest";
import { socket, type Frame } from "$shared/api/socket.svelte";
import { nothing, reduce, type Input, type JobState } from "$shared/job/state";
import { pageOf } from "../../parts/lists";
import { forAdmin } from "./admin";
import { withNewest, withOlder } from "./messages";

const PAUSE_MS = 250;
/** The number of messages on a page. */
const PAGE = 100;
const OVER: Schemas["JobStatus"][] = ["paid", "cancelled", "resolved"];

export class JobView {
  #state: JobState = $state.raw(nothing);
  #loaded: Schemas["JobForAdmin"] | null = $state.raw(null);
  readonly job = $derived(forAdmin(this.#state, this.#loaded));
  readonly items = $derived(this.#state.items);
  readonly payments = $derived(this.#state.payments);
  readonly position = $derived(this.#state.position);
  readonly eta = $derived(this.#state.eta);
  timeline: Schemas["TimelineEntry"][] = $state.raw([]);
  photos: Schemas["Photo"][] = $state.raw([]);
  messages: Schemas["Message"][] = $state.raw([]);
  #earlier: Record<string, string> = $state.raw({});
  /** The names of the present and former mechanics in the job's chat, by profile. */
  readonly mechanicNames: Record<string, string> = $derived({
    ...this.#earlier,
    ...(this.job?.mechanic_profile_id && this.job.mechanic_name
      ? { [this.job.mechanic_profile_id]: this.job.mechanic_name }
      : {}),
  });
  hasOlder = $state(false);
  calls: Schemas["Call"][] = $state.raw([]);
  ratings: Schemas["JobRatings"] | null = $state.raw(null);
  dispute: Schemas["Dispute"] | null = $state.raw(null);
  statements: Schemas["DisputeStatement"][] = $state.raw([]);
  record: Schemas["DispatchRecord"] | null = $state.raw(null);
  trail: number[][] = $state.raw([]);
  error: unknown = $state(null);
  /** The parts besides the job itself that could not be loaded. */
  missing: string[] = $state.raw([]);
  isOver = $derived(this.job !== null && OVER.includes(this.job.status));

  readonly id: string;
  readonly #path: { path: { id: string } };
  #pause: ReturnType<typeof setTimeout> | undefined;
  #wanted = new Set<keyof typeof this.loads>();

  constructor(id: string) {
    this.id = id;
    this.#path = { path: { id } };
  }

  /** Loads everything and follows the job; returns a function that ends that. */
  follow(): () => void {
    this.again();
    const end = socket.follow(this.id, (frame) => this.#takeFrame(frame));
    return () => {
      clearTimeout(this.#pause);
      end();
    };
  }

  /** Loads everything again. */
  again = (): void => this.#want(...(Object.keys(this.loads) as (keyof typeof this.loads)[]));

  #take(input: Input): void {
    this.#state = reduce(this.#state, input);
  }

  /** Applies a frame, and loads the parts that the frame only reports as changed. */
  #takeFrame(frame: Frame): void {
    const { job: before, position } = this.#state;
    this.#take({ type: "frame", frame, nowMs: Date.now() });
    switch (frame.type) {
      case "location.updated": {
        const { lat, lng, stale } = frame.data;
        if (this.position !== position && !stale) this.trail = [...this.trail, [lng, lat]];
        return;
      }
      case "line_item.updated":
        // An approved tow gives the job its destination.
        this.#want("timeline", ...(frame.data.destination ? (["job"] as const) : []));
        return;
      case "chat.message":
        this.#want("messages");
        return;
      case "call.updated":
        this.#want("calls");
        return;
      case "dispatch.progress":
      case "dispatch.outlook":
        this.#want("record");
        return;
      case "job.snapshot":
        this.#want("job", "timeline", "items", "payments");
        return;
      case "job.updated": {
        const isOther = before?.status !== frame.data.status;
        this.#want("job", "timeline", ...(isOther ? (["record", "photos", "dispute", "ratings"] as const) : []));
        if (before?.mechanic_profile_id !== frame.data.mechanic_profile_id) this.#want("trail", "record");
        return;
      }
    }
  }

  /** Several frames at once cause one load. */
  #want(...names: (keyof typeof this.loads)[]): void {
    for (const name of names) this.#wanted.add(name);
    clearTimeout(this.#pause);
    this.#pause = setTimeout(() => void this.#load(), this.job === null ? 0 : PAUSE_MS);
  }

  async #load(): Promise<void> {
    const names = [...this.#wanted];
    this.#wanted.clear();
    // A position counts only with its own job.
    if (names.includes("job")) await this.#loadOne("job");
    await Promise.all(names.filter((name) => name !== "job").map((name) => this.#loadOne(name)));
  }

  async #loadOne(name: keyof typeof this.loads): Promise<void> {
    let error: unknown = null;
    const counts = await this.loads[name]((caught) => (error = caught));
    if (!counts) return;
    if (name === "job") this.error = error;
    else {
      const others = this.missing.filter((one) => one !== name);
      // Parts that don't exist, or belong to another desk, are not missing.
      const isExpected = error instanceof Refusal && (error.status === 404 || error.code === "DESK_NEEDED");
      const isThere = error === null || isExpected;
      this.missing = isThere ? others : [...others, name];
    }
  }

  async loadOlder(): Promise<void> {
    const oldest = this.messages[0];
    if (!oldest) return;
    const page = await answer(
      api.GET("/jobs/{id}/messages", { params: { ...this.#path, query: { before_seq: oldest.seq, limit: PAGE } } }),
    );
    this.messages = withOlder(this.messages, page.data);
    this.hasOlder = page.has_more;
    this.#know(page.earlier_mechanics);
  }

  #know(mechanics: Schemas["ChatMechanic"][]): void {
    const named = mechanics.flatMap(({ mechanic_profile_id, first_name }) =>
      first_name ? [[mechanic_profile_id, first_name] as const] : [],
    );
    if (named.length > 0) this.#earlier = { ...this.#earlier, ...Object.fromEntries(named) };
  }

  loads = {
    job: load(
      () => answer(api.GET("/admin/jobs/{id}", { params: this.#path })),
      (job) => {
        this.#loaded = job;
        this.#take({ type: "job", job });
        if (job.disputed_at !== null && this.dispute === null) this.#want("dispute");
      },
    ),
    timeline: load(
      () => answer(api.GET("/jobs/{id}/timeline", { params: this.#path })),
      ({ data }) => (this.timeline = data),
    ),
    record: load(
      () => answer(api.GET("/admin/jobs/{id}/dispatch", { params: this.#path })),
      (record) => (this.record = record),
    ),
    items: load(
      () => {
        this.#take({ type: "asked" });
        return answer(api.GET("/jobs/{id}/line-items", { params: this.#path }));
      },
      ({ data: items }) => this.#take({ type: "details", items, nowMs: Date.now() }),
    ),
    photos: load(
      () => answer(api.GET("/jobs/{id}/photos", { params: this.#path })),
      ({ data }) => (this.photos = data),
    ),
    messages: load(
      () => answer(api.GET("/jobs/{id}/messages", { params: { ...this.#path, query: { limit: PAGE } } })),
      ({ data, has_more, earlier_mechanics }) => {
        const messages = withNewest(this.messages, data);
        if (messages.length === data.length) this.hasOlder = has_more;
        this.messages = messages;
        this.#know(earlier_mechanics);
      },
    ),
    calls: load(
      () => answer(api.GET("/jobs/{id}/calls", { params: { ...this.#path, query: { limit: 50 } } })),
      ({ data }) => (this.calls = data),
    ),
    payments: load(
      () => pageOf(api.GET("/admin/payments", { params: { query: { job_id: this.id, limit: 50 } } })),
      ({ data: payments }) => this.#take({ type: "details", payments, nowMs: Date.now() }),
    ),
    ratings: load(
      () => answer(api.GET("/jobs/{id}/ratings", { params: this.#path })),
      (ratings) => (this.ratings = ratings),
    ),
    dispute: load(
      async () =>
        (this.job?.disputed_at ?? null) === null
          ? null
          : Promise.all([
              answer(api.GET("/jobs/{id}/dispute", { params: this.#path })),
              answer(api.GET("/jobs/{id}/dispute/statements", { params: this.#path })),
            ]),
      (found) => {
        if (found === null) return;
        this.dispute = found[0];
        this.statements = found[1].data;
      },
    ),
    trail: load(
      () =>
        Promise.all([
          answer(api.GET("/jobs/{id}/route", { params: this.#path })),
          answer(api.GET("/jobs/{id}/location", { params: this.#path })),
        ]),
      ([{ geometry }, location]) => {
        this.trail = geometry?.coordinates ?? [];
        this.#take({ type: "details", location, nowMs: Date.now() });
      },
    ),
  };
}

/** Loads one part; of several calls at once only the newest answer counts. Returns whether this one counted. */
function load<T>(
  ask: () => Promise<T>,
  take: (answer: T) => void,
): (fail: (error: unknown) => void) => Promise<boolean> {
  const newest = new Newest();
  return (fail) => newest.ask(ask, take, fail);
}
