// The part of the world that the live map last showed in this tab.

const KEY = "roadcall-console-view";

export interface View {
  lat: number;
  lng: number;
  zoom: number;
}

export function readView(): View | null {
  try {
    const view = JSON.parse(sessionStorage.getItem(KEY) ?? "null") as View | null;
    return view && [view.lat, view.lng, view.zoom].every(Number.isFinite) ? view : null;
  } catch {
    return null;
  }
}

export const keepView = ({ lat, lng, zoom }: View): void =>
  sessionStorage.setItem(KEY, JSON.stringify({ lat, lng, zoom }));
