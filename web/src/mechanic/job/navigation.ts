// Tells the service that another app shows the way, and that this page is in front again: browsers send no positions
// while it is hidden.
import { answer, api } from "$shared/api/client";
import { socket } from "$shared/api/socket.svelte";
import { isDriving } from "$shared/job/status";
import { current } from "./current.svelte";

/** A page that is in front for a shorter time was only passed on the way to another. */
const BACK_AFTER_MS = 3_000;

/** Reports the hand-over at once: the page may be frozen a moment later, which a request in progress survives. */
export function handOver(): void {
  const job = current.live?.state.job;
  if (job && isDriving(job)) tell(job.id, true);
}

/** Tells the service when this page is in front again. Returns a function that ends this. */
export function noticeReturn(): () => void {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const look = () => {
    clearTimeout(timer);
    if (document.visibilityState === "visible") timer = setTimeout(comeBack, BACK_AFTER_MS);
  };
  document.addEventListener("visibilitychange", look);
  // The phone may have ended the page meanwhile.
  const unhook = socket.onOpen(look);
  return () => {
    clearTimeout(timer);
    unhook();
    document.removeEventListener("visibilitychange", look);
  };
}

function comeBack(): void {
  const job = current.live?.state.job;
  if (job?.navigating_since && document.visibilityState === "visible") tell(job.id, false);
}

/** Sends the report; repeats do no harm. Without an answer, the positions that follow say as much. */
function tell(id: string, isElsewhere: boolean): void {
  const overHttp = () =>
    answer(
      api.POST("/jobs/{id}/navigating", {
        params: { path: { id } },
        body: { is_elsewhere: isElsewhere },
        keepalive: true,
      }),
    );
  const told =
    socket.state === "open"
      ? socket.command("job.navigating", { job_id: id, is_elsewhere: isElsewhere }).catch(overHttp)
      : overHttp();
  told.then((job) => current.live?.take({ type: "job", job })).catch(() => {});
}
