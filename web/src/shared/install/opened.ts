// Notifications that a person tapped: `onOpened(({ type, data }) => router.go(…))` in main.ts, once, after
// `router.start`.

export interface Opened {
  id: string;
  type: string;
  /** Ids of its subject: `job_id`, `offer_id`, `payment_id` … */
  data: Record<string, string>;
  /** The notification's button that was pressed; none if it was the notification itself. */
  action?: string;
}

export function onOpened(open: (notification: Opened) => void): void {
  if ("serviceWorker" in navigator) {
    navigator.serviceWorker.addEventListener(
      "message",
      ({ data }: MessageEvent<{ type?: string; notification?: unknown } | null>) => {
        if (data?.type === "notification" && isOpened(data.notification)) open(data.notification);
      },
    );
  }
  // The app was closed: the service worker opened it with the notification in its address.
  const url = new URL(location.href);
  const text = url.searchParams.get("notification");
  if (text === null) return;
  url.searchParams.delete("notification");
  history.replaceState(history.state, "", url);
  try {
    const notification: unknown = JSON.parse(text);
    if (isOpened(notification)) open(notification);
  } catch {
    // Somebody else wrote this address.
  }
}

/** Accepts only values that are plain names, because anyone can write an address. */
export function isOpened(value: unknown): value is Opened {
  if (typeof value !== "object" || value === null) return false;
  const { id, type, data, action } = value as Partial<Opened>;
  const isName = (text: unknown) => typeof text === "string" && /^[\w-]{1,64}$/.test(text);
  return (
    isName(id) &&
    isName(type) &&
    (action === undefined || isName(action)) &&
    typeof data === "object" &&
    data !== null &&
    Object.values(data).every(isName)
  );
}
