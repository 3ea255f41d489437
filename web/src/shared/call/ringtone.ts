// The sound and vibration of ringing, generated here so that nothing has to be loaded.

export type Ringtone = "incoming" | "outgoing";

/** Two short tones for the callee's phone; one long, soft tone for the caller. */
const PATTERNS: Record<
  Ringtone,
  { tones: number[]; beats: [from: number, length: number][]; every: number; volume: number }
> = {
  incoming: {
    tones: [523, 659],
    beats: [
      [0, 0.35],
      [0.5, 0.35],
    ],
    every: 2.2,
    volume: 0.25,
  },
  outgoing: { tones: [400, 425], beats: [[0, 0.9]], every: 3.2, volume: 0.06 },
};

/** Starts to ring. Returns a function that ends this. */
export function ring(which: Ringtone): () => void {
  const { tones, beats, every, volume } = PATTERNS[which];
  // A page that nobody has touched yet stays silent: the browser decides that.
  const context = typeof AudioContext === "undefined" ? null : new AudioContext();
  const round = () => {
    if (which === "incoming") navigator.vibrate?.([400, 150, 400]);
    if (!context || context.state !== "running") return void context?.resume().catch(() => {});
    for (const [from, length] of beats) {
      const begin = context.currentTime + from;
      const gain = context.createGain();
      gain.gain.setValueAtTime(0, begin);
      gain.gain.linearRampToValueAtTime(volume, begin + 0.03);
      gain.gain.setValueAtTime(volume, begin + length - 0.05);
      gain.gain.linearRampToValueAtTime(0, begin + length);
      gain.connect(context.destination);
      for (const frequency of tones) {
        const tone = context.createOscillator();
        tone.frequency.value = frequency;
        tone.connect(gain);
        tone.start(begin);
        tone.stop(begin + length);
      }
    }
  };
  round();
  const timer = setInterval(round, every * 1000);
  return () => {
    clearInterval(timer);
    if (which === "incoming") navigator.vibrate?.(0);
    void context?.close();
  };
}
