// Whether the device has a network at all, as it says itself.
class Network {
  isOnline = $state(navigator.onLine);
  constructor() {
    addEventListener("online", () => (this.isOnline = true));
    addEventListener("offline", () => (this.isOnline = false));
  }
}

export const network = new Network();
