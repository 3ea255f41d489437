// Times in the format of a date and time field: local, to the minute.

export function localTime(at: Date): string {
  return new Date(at.getTime() - at.getTimezoneOffset() * 60_000).toISOString().slice(0, 16);
}

/** Returns the earliest time that help can be booked for. */
export function earliest(): string {
  return localTime(new Date(Date.now() + 60_000));
}
