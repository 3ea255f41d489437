// The apps that send positions on behalf of the mechanics' app, and where to get them.
import type { Schemas } from "$shared/api/client";

export const apps: Record<Schemas["TrackerApp"], { name: string; android: string; iphone: string }> = {
  owntracks: {
    name: "OwnTracks",
    android: "https://play.google.com/store/apps/details?id=org.owntracks.android",
    iphone: "https://apps.apple.com/app/owntracks/id692424691",
  },
  traccar: {
    name: "Traccar Client",
    android: "https://play.google.com/store/apps/details?id=org.traccar.client",
    iphone: "https://apps.apple.com/app/traccar-client/id843156974",
  },
};
