// The audio between two devices: signals carry offers, answers and candidates, and may be lost on the way.
import { NoAnswer, Refusal } from "../api/errors";

type Payload = { type: "offer" | "answer"; sdp: string } | { type: "candidate"; candidate: RTCIceCandidateInit };

/** A connection that is lost for this long is renewed. */
const RESTART_AFTER_MS = 2_500;
const RESEND_MS = 700;
/** A signal that the other device has not received by then is dropped. */
const RESEND_LIMIT_MS = 15_000;

export interface PeerEvents {
  connected(): void;
  disconnected(): void;
  audio(stream: MediaStream): void;
}

export class Peer {
  readonly #connection: RTCPeerConnection;
  #early: RTCIceCandidateInit[] = [];
  #outbox: Promise<void> = Promise.resolve();
  #restart: ReturnType<typeof setTimeout> | undefined;
  #isClosed = false;
  #abort = new AbortController();
  #inbox: Promise<void> = Promise.resolve();

  constructor(
    iceServers: RTCIceServer[],
    microphone: MediaStream,
    /** Whether this side calls: the caller makes the offers. */
    private readonly isCaller: boolean,
    /** Returns whether the other device received it. */
    private readonly send: (payload: unknown) => Promise<boolean>,
    private readonly events: PeerEvents,
  ) {
    const connection = new RTCPeerConnection({ iceServers });
    this.#connection = connection;
    for (const track of microphone.getAudioTracks()) connection.addTrack(track, microphone);
    connection.ontrack = ({ track, streams }) => events.audio(streams[0] ?? new MediaStream([track]));
    connection.onicecandidate = ({ candidate }) => {
      if (candidate) this.#signal({ type: "candidate", candidate: candidate.toJSON() });
    };
    connection.onconnectionstatechange = () => this.#changed();
    addEventListener("online", () => this.#renew(), { signal: this.#abort.signal });
    if (isCaller) void this.#offer();
  }

  /** Handles a signal; signals are handled in the order of their arrival. */
  receive(payload: unknown): void {
    this.#inbox = this.#inbox
      .then(() => this.#receive(payload as Payload))
      .catch(() => {
        // Signals that can't be understood change nothing; the caller makes another offer if there is no connection.
      });
  }

  /** Switches to another microphone, for example after the first was unplugged. */
  async replace(track: MediaStreamTrack): Promise<void> {
    await this.#connection.getSenders()[0]?.replaceTrack(track);
  }

  close(): void {
    this.#isClosed = true;
    this.#abort.abort();
    clearTimeout(this.#restart);
    this.#connection.close();
  }

  async #receive(payload: Payload): Promise<void> {
    const connection = this.#connection;
    if (this.#isClosed) return;
    if (payload.type === "candidate") {
      if (connection.remoteDescription === null) this.#early.push(payload.candidate);
      else await connection.addIceCandidate(payload.candidate);
      return;
    }
    if (payload.type === "offer" && !this.isCaller) {
      await connection.setRemoteDescription({ type: "offer", sdp: payload.sdp });
      await connection.setLocalDescription();
      this.#describe();
    } else if (payload.type === "answer" && this.isCaller && connection.signalingState === "have-local-offer") {
      await connection.setRemoteDescription({ type: "answer", sdp: payload.sdp });
    }
    for (const candidate of this.#early.splice(0)) await connection.addIceCandidate(candidate);
  }

  async #offer(): Promise<void> {
    await this.#connection.setLocalDescription(await this.#connection.createOffer());
    this.#describe();
  }

  #describe(): void {
    const local = this.#connection.localDescription;
    if (local && (local.type === "offer" || local.type === "answer"))
      this.#signal({ type: local.type, sdp: local.sdp });
  }

  #changed(): void {
    const state = this.#connection.connectionState;
    clearTimeout(this.#restart);
    if (state === "connected") this.events.connected();
    else if (state === "disconnected" || state === "failed") {
      this.events.disconnected();
      this.#restart = setTimeout(() => this.#renew(), state === "failed" ? 0 : RESTART_AFTER_MS);
    }
  }

  /** Looks for another route between the two devices. */
  #renew(): void {
    const state = this.#connection.connectionState;
    if (this.#isClosed || !this.isCaller || state === "connected" || state === "new") return;
    clearTimeout(this.#restart);
    void this.#connection
      .createOffer({ iceRestart: true })
      .then((offer) => this.#connection.setLocalDescription(offer))
      .then(() => this.#describe())
      .catch(() => {});
    this.#restart = setTimeout(() => this.#renew(), RESTART_AFTER_MS * 3);
  }

  #signal(payload: Payload): void {
    this.#outbox = this.#outbox.then(() => this.#deliver(payload));
  }

  async #deliver(payload: Payload): Promise<void> {
    const until = Date.now() + RESEND_LIMIT_MS;
    while (!this.#isClosed && Date.now() < until) {
      try {
        if (await this.send(payload)) return;
      } catch (error) {
        const mayPass =
          error instanceof NoAnswer ||
          (error instanceof Refusal && (error.code === "RATE_LIMITED" || error.code === "UNAVAILABLE"));
        if (!mayPass) return;
      }
      await new Promise((resolve) => setTimeout(resolve, RESEND_MS));
    }
  }
}
