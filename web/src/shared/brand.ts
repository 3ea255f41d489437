// The name that customers know the service by. The server writes the operator's name into the page.
export const brand =
  globalThis.document?.querySelector<HTMLMetaElement>('meta[name="application-name"]')?.content || "Roadcall";
