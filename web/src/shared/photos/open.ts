// Opens files whose links end soon.
import { here } from "./upload";

/** Opens a new tab with the file, whose link is requested now. Throws like that request. */
export async function openFile(link: () => Promise<string>): Promise<void> {
  // Opened before the link is known: later, browsers would block it as a popup.
  const tab = window.open("", "_blank");
  try {
    const found = await link();
    if (tab) tab.location.href = found;
    else location.href = found;
  } catch (error) {
    tab?.close();
    throw error;
  }
}

/** Opens a file of a list by the link of a newer list, because that of an older one may have ended. */
export const openListed = <File extends { id: string; url: string }>(file: File, list: () => Promise<File[]>) =>
  openFile(async () => here(((await list()).find(({ id }) => id === file.id) ?? file).url));
