// Sends the actions that a mechanic took without a network, each kind in its own way, once there is a network.
import { answer, api, type Schemas } from "$shared/api/client";
import type { Job } from "$shared/job/state";
import type { Entry, Kind } from "$shared/outbox/outbox";
import { outbox } from "$shared/outbox/outbox.svelte";
import { upload, type Progress } from "$shared/photos/upload";
import { current } from "./current.svelte";

const MINUTE_MS = 60_000;

/** The steps that are sent later if there is no network. */
type Step = "arrive" | "complete";

export interface JobPhoto {
  stage: Schemas["PhotoStage"];
  /** Set once the bytes are uploaded. */
  fileUrl?: string;
}

/** The listeners for the upload progress of photos, by entry. */
export const progressOf = new Map<string, (now: Progress) => void>();

/** Sends a step that leads away from one status. The job shows whether an earlier attempt took effect. */
async function step(entry: Entry, signal: AbortSignal, leaves: Job["status"], take: () => Promise<Job>): Promise<Job> {
  const before = entry.isTried ? await answer(api.GET("/jobs/{id}", of(entry))) : null;
  // The mechanic may have dropped it meanwhile.
  signal.throwIfAborted();
  const job = before !== null && before.status !== leaves ? before : await take();
  if (current.live?.id === job.id) current.live.take({ type: "job", job });
  return job;
}

const of = ({ about }: Entry) => ({ params: { path: { id: about } } });

/** Returns options with the entry's key: a step is taken once, and its repeat gets the first answer. */
const once = (entry: Entry) => ({ ...of(entry), headers: { "Idempotency-Key": entry.id } });

const earlier = (kind: Step, job: string): readonly Entry[] =>
  outbox.entries.filter((entry) => entry.kind === kind && entry.about === job);

/** Returns whether this step of the job is being sent automatically, since before a reload or from another page. */
export const isUnsent = (kind: Step, job: string): boolean => earlier(kind, job).some(outbox.isDue);

/** Takes a step as soon as there is a network, instead of an earlier one that was refused or is too old. */
export function takeStep(kind: Step, job: string, body: unknown): Promise<Job> {
  const replaced = earlier(kind, job);
  for (const { id } of replaced) outbox.drop(id);
  // A step that is only too old may have taken effect.
  const isTried = replaced.some((entry) => entry.isTried && entry.refused === undefined);
  return outbox.send<Job>(kind, job, body, { isTried });
}

export const kinds: Readonly<Record<Step | "photo", Kind>> = {
  arrive: {
    // Later the mechanic may be somewhere else.
    sendsForMs: 30 * MINUTE_MS,
    isPatient: () => true,
    send: (entry, _, signal) =>
      step(entry, signal, "en_route", () =>
        answer(api.POST("/jobs/{id}/arrive", { ...once(entry), body: entry.body as Schemas["Arrive"] })),
      ),
  },
  complete: {
    sendsForMs: 12 * 60 * MINUTE_MS,
    isPatient: () => true,
    send: (entry, _, signal) =>
      step(entry, signal, "in_progress", () =>
        answer(api.POST("/jobs/{id}/complete", { ...once(entry), body: entry.body as Schemas["CompleteWork"] })),
      ),
  },
  photo: {
    // A step does not wait for the bytes of a photo, which may take long.
    lane: "photos",
    sendsForMs: 24 * 60 * MINUTE_MS,
    isPatient: () => true,
    async send(entry, save, signal) {
      const photo = entry.body as JobPhoto;
      let file_url = photo.fileUrl;
      if (file_url === undefined) {
        if (!entry.file) throw new Error("a photo without its bytes");
        const file = { blob: entry.file, kind: "image/jpeg" as const };
        file_url = await upload(file, "job_photo", (now) => progressOf.get(entry.id)?.(now), signal);
        await save({ ...photo, fileUrl: file_url });
      }
      signal.throwIfAborted();
      const params = { path: { id: entry.about }, header: { "Idempotency-Key": entry.id } };
      return answer(api.POST("/jobs/{id}/photos", { params, body: { stage: photo.stage, file_url } }));
    },
  },
};
