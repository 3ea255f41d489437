// The token by which the service recognizes this device at the next sign-in. It does not sign anybody in.
const KEY = "roadcall-device";

/** Returns the device's token for sign-in requests, if somebody has signed in on it before. */
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
    // If storage is full or forbidden, the next sign-in is on a new device.
  }
}
