/** Saves a file where the browser keeps downloads. */
export function save(blob: Blob, name: string): void {
  const url = URL.createObjectURL(blob);
  Object.assign(document.createElement("a"), { href: url, download: name }).click();
  // The browser reads it after this function has returned.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
