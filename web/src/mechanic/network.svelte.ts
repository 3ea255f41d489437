// Whether this device says that it has a network.
class Network {
  isOnline = $state(navigator.onLine);

  constructor() {
    addEventListener("online", () => (this.isOnline = true));
    addEventListener("offline", () => (this.isOnline = false));
  }
}

export const network = new Network();
