// All facts for a decision about a dispute.
import { answer, api, type Schemas } from "$shared/api/client";
import { sentence } from "../../parts/words";
import { rows } from "../list/rows";

export interface Case {
  dispute: Schemas["Dispute"];
  job: Schemas["JobForAdmin"];
  statements: Schemas["DisputeStatement"][];
  items: Schemas["LineItem"][];
  timeline: Schemas["TimelineEntry"][];
  messages: Schemas["Message"][];
  photos: Schemas["Photo"][];
  payments: Schemas["PaymentForAdmin"][];
}

export interface Statement {
  id: string;
  by: Schemas["Party"];
  at: string;
  text: string;
  files: string[];
}

export async function loadCase(jobId: string): Promise<Case> {
  const at = { params: { path: { id: jobId } } };
  const [dispute, job, statements, items, timeline, messages, photos, payments] = await Promise.all([
    answer(api.GET("/jobs/{id}/dispute", at)),
    answer(api.GET("/admin/jobs/{id}", at)),
    answer(api.GET("/jobs/{id}/dispute/statements", at)),
    answer(api.GET("/jobs/{id}/line-items", at)),
    answer(api.GET("/jobs/{id}/timeline", at)),
    answer(api.GET("/jobs/{id}/messages", at)),
    answer(api.GET("/jobs/{id}/photos", at)),
    rows("/admin/payments", { job_id: jobId }),
  ]);
  return {
    dispute,
    job,
    statements: statements.data,
    items: items.data,
    timeline: timeline.data,
    messages: messages.data,
    photos: photos.data,
    payments: payments.data,
  };
}

/** Returns the amount that was captured and not refunded. */
export function paidAndKept(payments: Schemas["PaymentForAdmin"][]): number {
  return payments
    .filter((payment) => payment.captured_at)
    .reduce((sum, payment) => sum + payment.amount - payment.refunded_amount, 0);
}

/** Returns the complaint, followed by the statements about it. */
export function statementsOf({ dispute, statements }: Case): Statement[] {
  return [
    {
      by: dispute.opened_by,
      at: dispute.created_at,
      text: dispute.description,
      files: dispute.evidence_urls,
      id: dispute.id,
    },
    ...statements.map((entry) => ({
      by: entry.stated_by,
      at: entry.created_at,
      text: entry.statement,
      files: entry.evidence_urls,
      id: entry.id,
    })),
  ];
}

export function evidenceOf(found: Case): { url: string; label: string }[] {
  return [
    ...statementsOf(found).flatMap((entry) =>
      entry.files.map((url, index) => ({ url, label: `Evidence ${index + 1} of the ${entry.by}` })),
    ),
    ...found.photos.map((photo) => ({ url: photo.file_url, label: `${sentence(photo.stage)} the work` })),
    ...found.job.photo_urls.map((url, index) => ({ url, label: `Photo ${index + 1} of the call` })),
  ];
}
