// Sets up a mechanic and the state of their job, for tests of pages.
import { examples, none, type Answers, type Schemas } from "../support/pages";

type Job = Schemas["Job"];

export const at = (minute: number) => new Date(Date.UTC(2026, 2, 14, 8, minute)).toISOString();

/** Sets up a mechanic with this profile, or somebody who is not a mechanic yet. */
export function profile(answers: Answers, changes: Partial<Schemas["OwnMechanicProfile"]> | null): void {
  const own = examples().of("OwnMechanicProfile");
  answers.give("GET /users/me", (me) => ({
    ...me,
    id: own.user_id,
    name: "Ravi Kumar",
    email: "ravi@example.com",
    mechanic_profile_id: changes === null ? null : own.id,
  }));
  if (changes !== null) answers.give("GET /mechanics/me", { ...own, ...changes });
}

/** Sets up a verified mechanic with nothing to do. */
export function idle(answers: Answers, changes: Partial<Schemas["OwnMechanicProfile"]> = {}): void {
  profile(answers, changes);
  answers.give("GET /jobs", none);
  answers.give("GET /mechanics/me/offers", none);
  answers.give("GET /mechanics/me/lost-jobs", none);
  answers.give("GET /mechanics/me/parked", (answer) => ({ ...answer, parked: null }));
}

/** Sets up a mechanic at work on a job in this state. */
export function atWork(answers: Answers, changes: Partial<Job>, payments: Partial<Schemas["Payment"]>[] = []): void {
  idle(answers);
  const job: Job = { ...examples().of("Job"), urgency: "highway", start_code: null, ...changes };
  const isOver = job.status === "completed" || job.status === "paid";
  answers.give("GET /jobs", (list) => ({
    ...list,
    // The app knows the job from when it was in progress.
    data: [isOver ? { ...job, status: "in_progress" as const, seq: job.seq - 1 } : job],
  }));
  answers.give("GET /jobs/{id}", job);
  answers.give("GET /jobs/{id}/line-items", none);
  answers.give("GET /payments", (list) => ({
    ...list,
    data: payments.map((payment) => ({ ...examples().of("Payment"), ...payment })),
  }));
  answers.give("GET /jobs/{id}/ratings", (both) => ({
    ...both,
    ratable_until: new Date(Date.UTC(2026, 2, 21)).toISOString(),
    by_customer: null,
    by_mechanic: null,
  }));
}

export const driving = { status: "en_route", en_route_at: at(31) } as const;
export const arrived = { ...driving, status: "arrived", arrived_at: at(36) } as const;
export const working = { ...arrived, status: "in_progress", started_at: at(37) } as const;

/** Returns a job on the way to the vehicle's destination. */
export const towing = (): Partial<Job> => ({
  ...working,
  loaded_at: at(38),
  destination: { ...examples().of("JobDestination"), driven_m: null },
});

/** Runs in the page: stores a mechanic's drop-off form, so that it is still filled in after a reload. */
export function keepDelivery({ jobId, reason }: { jobId: string; reason: string }): void {
  const value = { photos: ["/uploads/examples/delivered.jpg"], name: "Suresh", notes: "", reason };
  const entries = { [`delivery-${jobId}`]: { at: Date.now(), value } };
  localStorage.setItem("roadcall-written-/mechanic/", JSON.stringify({ userId: null, entries }));
}
