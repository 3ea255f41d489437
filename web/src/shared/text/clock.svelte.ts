// The time for ages and countdowns on the screen: one timer for all of them, and none while nobody looks.
import { createSubscriber } from "svelte/reactivity";

const everySecond = createSubscriber((update) => {
  const timer = setInterval(update, 1000);
  return () => clearInterval(timer);
});

/** Returns the current time in milliseconds; its readers are redrawn every second. */
export function now(): number {
  everySecond();
  return Date.now();
}
