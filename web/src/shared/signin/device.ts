// The token by which the service knows this device at the next sign-in. It signs nobody in.
const KEY = "roadcall-device";

/** For requests that sign in: the device's token, if somebody has signed in on it before. */
export function knownDevice(): { deviceToken?: string } {
  try {
    const deviceToken = localStorage.getItem(KEY);
    return deviceToken ? { deviceToken } : {};
  } catch {
    return {};
  }
}

export function keepDevice(deviceToken: string): void {
  try {
    localStorage.setItem(KEY, deviceToken);
  } catch {
    // A full or forbidden storage: the next sign-in is on a new device.
  }
}
