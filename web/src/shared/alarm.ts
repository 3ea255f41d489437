// The sound and the vibration of an offer. Browsers allow sound only after the person has touched the page once.

/** Two tones, twice, then a pause; repeated until somebody answers. */
const TONES = [
  { at: 0, hertz: 880 },
  { at: 0.18, hertz: 1175 },
  { at: 0.45, hertz: 880 },
  { at: 0.63, hertz: 1175 },
] as const;
const TONE_S = 0.15;
const REPEAT_MS = 1_600;
const BUZZ = [300, 120, 300];

class Alarm {
  #audio: AudioContext | null = null;
  #timer: ReturnType<typeof setInterval> | undefined;
  #listeners = new Set<() => void>();

  /** Enables sounds; call it within a tap. */
  async unlock(): Promise<void> {
    try {
      this.#audio ??= new AudioContext();
      if (this.#audio.state !== "running") await this.#audio.resume();
    } catch {
      this.#audio = null;
    }
    for (const listener of this.#listeners) listener();
  }

  get canSound(): boolean {
    return this.#audio?.state === "running";
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  start(): void {
    this.stop();
    this.#ring();
    this.#timer = setInterval(() => this.#ring(), REPEAT_MS);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
    if ("vibrate" in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(0);
  }

  #ring(): void {
    // Browsers refuse to vibrate on a page that was never touched, and report it on the console.
    if ("vibrate" in navigator && navigator.userActivation?.hasBeenActive) navigator.vibrate(BUZZ);
    const audio = this.#audio;
    if (audio?.state !== "running") return;
    for (const { at, hertz } of TONES) {
      const from = audio.currentTime + at;
      const tone = audio.createOscillator();
      const volume = audio.createGain();
      tone.type = "triangle";
      tone.frequency.value = hertz;
      volume.gain.setValueAtTime(0.0001, from);
      volume.gain.exponentialRampToValueAtTime(0.8, from + 0.02);
      volume.gain.exponentialRampToValueAtTime(0.0001, from + TONE_S);
      tone.connect(volume).connect(audio.destination);
      tone.start(from);
      tone.stop(from + TONE_S + 0.05);
    }
  }
}

export const alarm = new Alarm();
