// The calls of this device, one at a time. Create one of these for the whole app, and one panel at its root:
//   const calls = new Calls(accountCalls());   // guests: new Calls(guestCalls(token, stream))
//   <CallPanel {calls} name={…} />  and, where somebody may be called,  <CallButton {calls} place={job.id} name={…} />
import { Refusal } from "../api/errors";
import { explain } from "../text/refusals";
import { m } from "$words";
import { idle, isFree, step, type CallEvent, type CallState, type End } from "./call";
import { Peer } from "./peer";
import { ring } from "./ringtone";
import type { CallTransport } from "./transport";

/** A call that stays without a connection for this long is ended. */
const CONNECT_LIMIT_MS = 30_000;
/** The service ends a call itself; if that is not noticed, this device ends it. */
const EXPIRY_GRACE_MS = 5_000;
/** The maximum number of signals that are stored until this device is ready for them. */
const MOST_EARLY = 64;

const AUDIO: MediaStreamConstraints = {
  audio: { echoCancellation: true, noiseSuppression: true, autoGainControl: true },
};

export class Calls {
  state: CallState = $state.raw(idle);
  /** Why a call is not possible, or its problem. */
  error: string | null = $state(null);
  isMuted = $state(false);
  /** The other side's voice. */
  audio: MediaStream | null = $state.raw(null);

  #peer: Peer | null = null;
  #microphone: MediaStream | null = null;
  #early: { callId: string; payload: unknown }[] = [];
  #stopRinging: (() => void) | null = null;
  #connectTimer: ReturnType<typeof setTimeout> | undefined;
  #expiryTimer: ReturnType<typeof setTimeout> | undefined;
  #abort = new AbortController();
  #stopListening: () => void;

  constructor(private readonly transport: CallTransport) {
    this.#stopListening = transport.listen({
      ringing: (call) => {
        this.#step({ type: "ringing", call });
        if (this.state.phase === "incoming" && this.state.callId === call.id) transport.rings(call.id);
      },
      updated: (call) => this.#step({ type: "updated", call }),
      signal: (callId, payload) => this.#signalled(callId, payload),
    });
    // Closing the page hangs up.
    addEventListener("pagehide", () => void this.hangUp(), { signal: this.#abort.signal });
  }

  close(): void {
    void this.hangUp();
    this.#abort.abort();
    this.#stopListening();
  }

  /** Calls the other side of a job; guests pass their link. */
  async dial(place: string): Promise<void> {
    if (!isFree(this.state)) return;
    this.error = null;
    this.#step({ type: "dial", place });
    if (typeof RTCPeerConnection === "undefined" || !navigator.mediaDevices)
      return this.#impossible(m.shared_call_unsupported());
    // The prompt appears now, while the person is looking, and not once the other side has answered.
    if (!(await this.#listen())) return this.#fail("impossible");
    try {
      if (this.transport.hasTokenBefore && (await this.transport.token(place)).provider !== "peer")
        return this.#impossible(m.shared_call_unsupported());
      if (this.state.phase !== "calling") return;
      const call = await this.transport.invite(place);
      if (this.state.phase !== "calling" && this.state.phase !== "ringing_there") {
        // Hung up before the service answered.
        await this.transport.end(call.id).catch(() => {});
        return;
      }
      this.#step({ type: "placed", call });
    } catch (error) {
      if (this.state.phase !== "calling") return;
      if (error instanceof Refusal && error.code === "CONFLICT" && (await this.#answerTheirs(place))) return;
      this.#impossible(explain(error, { CONFLICT: m.shared_call_busy() }));
    }
  }

  /** Answers the other side's call after both sides called at once. */
  async #answerTheirs(place: string): Promise<boolean> {
    const call = await this.transport.current(place).catch(() => null);
    if (!call?.isIncoming || call.status !== "ringing" || call.isOthers) return false;
    this.state = idle;
    this.#step({ type: "ringing", call });
    await this.answer();
    return true;
  }

  /** Finds a call that began to ring before this page was open. */
  async look(place: string): Promise<void> {
    if (!isFree(this.state)) return;
    const call = await this.transport.current(place).catch(() => null);
    if (!call?.isIncoming || call.status !== "ringing") return;
    this.#step({ type: "ringing", call });
    if (this.state.callId === call.id) this.transport.rings(call.id);
  }

  async answer(): Promise<void> {
    const { callId } = this.state;
    if (this.state.phase !== "incoming" || callId === null) return;
    this.error = null;
    this.#step({ type: "answer" });
    if (!(await this.#listen())) {
      // The call keeps ringing, so that the person can allow the microphone.
      this.#step({ type: "not_answered" });
      return;
    }
    try {
      const call = await this.transport.accept(callId);
      this.#step({ type: "updated", call });
    } catch (error) {
      if (error instanceof Refusal && error.code === "CONFLICT") this.#fail("elsewhere");
      else if (error instanceof Refusal && error.code === "INVALID_TRANSITION") this.#fail("missed");
      else {
        this.error = explain(error);
        this.#step({ type: "not_answered" });
      }
    }
  }

  async decline(): Promise<void> {
    const { callId } = this.state;
    if (this.state.phase !== "incoming" || callId === null) return;
    this.#step({ type: "over", end: "declined_here" });
    this.#step({ type: "dismiss" });
    await this.transport.reject(callId).catch(() => {});
  }

  async hangUp(): Promise<void> {
    const { callId, phase } = this.state;
    if (isFree(this.state) || phase === "incoming") return;
    this.#step({ type: "over", end: "hung_up" });
    // A person who hangs up needs no explanation.
    this.dismiss();
    if (callId !== null) await this.transport.end(callId).catch(() => {});
  }

  /** Ends the call when the person signs out; one that rings keeps ringing only on their other devices. */
  async leave(): Promise<void> {
    await this.hangUp();
    this.#step({ type: "over", end: "elsewhere" });
    this.dismiss();
  }

  mute(isMuted: boolean): void {
    this.isMuted = isMuted;
    for (const track of this.#microphone?.getAudioTracks() ?? []) track.enabled = !isMuted;
  }

  dismiss(): void {
    this.error = null;
    this.#step({ type: "dismiss" });
  }

  #step(event: CallEvent): void {
    const before = this.state;
    this.state = step(before, event);
    if (this.state === before) return;
    this.#sound();
    clearTimeout(this.#expiryTimer);
    const { phase, expiresAt } = this.state;
    if (expiresAt !== null && !isFree(this.state)) {
      const left = Date.parse(expiresAt) - Date.now() + EXPIRY_GRACE_MS;
      this.#expiryTimer = setTimeout(
        () => this.#fail(phase === "incoming" ? "missed" : "no_answer"),
        Math.min(Math.max(0, left), 2 ** 31 - 1),
      );
    }
    if (phase === "connecting" && before.phase !== "connecting") void this.#connect();
    if (isFree(this.state)) this.#release();
  }

  #sound(): void {
    this.#stopRinging?.();
    this.#stopRinging = null;
    if (this.state.phase === "incoming") this.#stopRinging = ring("incoming");
    else if (this.state.phase === "ringing_there") this.#stopRinging = ring("outgoing");
  }

  async #connect(): Promise<void> {
    const { callId, place, isIncoming } = this.state;
    if (callId === null || place === null) return;
    this.#limitConnecting();
    try {
      const { provider, ice_servers } = await this.transport.token(place);
      if (this.state.callId !== callId || this.state.phase !== "connecting" || !this.#microphone) return;
      if (provider !== "peer") {
        this.#impossible(m.shared_call_unsupported());
        await this.transport.end(callId).catch(() => {});
        return;
      }
      const servers = ice_servers.map(({ urls, username, credential }) => ({
        urls,
        ...(username ? { username } : {}),
        ...(credential ? { credential } : {}),
      }));
      const peer = new Peer(
        servers,
        this.#microphone,
        !isIncoming,
        (payload) => this.transport.signal(callId, payload),
        {
          connected: () => {
            clearTimeout(this.#connectTimer);
            this.#step({ type: "connected", at: Date.now() });
          },
          disconnected: () => {
            this.#step({ type: "disconnected" });
            this.#limitConnecting();
          },
          audio: (stream) => (this.audio = stream),
        },
      );
      this.#peer = peer;
      for (const { payload } of this.#early.filter((one) => one.callId === callId)) peer.receive(payload);
      this.#early = [];
    } catch (error) {
      this.#impossible(explain(error));
      await this.transport.end(callId).catch(() => {});
    }
  }

  #limitConnecting(): void {
    clearTimeout(this.#connectTimer);
    const { callId } = this.state;
    this.#connectTimer = setTimeout(() => {
      this.#fail("connection");
      if (callId !== null) this.transport.end(callId).catch(() => {});
    }, CONNECT_LIMIT_MS);
  }

  #signalled(callId: string, payload: unknown): void {
    if (this.#peer && this.state.callId === callId) this.#peer.receive(payload);
    else if (this.#early.length < MOST_EARLY) this.#early.push({ callId, payload });
  }

  /** Opens the microphone; reports whether there is one that may be used. */
  async #listen(): Promise<boolean> {
    if (this.#microphone?.active) return true;
    try {
      const microphone = await navigator.mediaDevices.getUserMedia(AUDIO);
      if (isFree(this.state)) {
        for (const track of microphone.getTracks()) track.stop();
        return false;
      }
      this.#microphone = microphone;
      this.#watch(microphone);
      this.mute(false);
      return true;
    } catch (error) {
      const isDenied =
        error instanceof DOMException && (error.name === "NotAllowedError" || error.name === "SecurityError");
      this.error = isDenied ? m.shared_call_microphone_denied() : m.shared_call_microphone_missing();
      return false;
    }
  }

  /** Switches to another microphone when a headset is unplugged with its own. */
  #watch(microphone: MediaStream): void {
    const [track] = microphone.getAudioTracks();
    track?.addEventListener("ended", () => {
      if (this.#microphone !== microphone || isFree(this.state)) return;
      this.error = m.shared_call_microphone_lost();
      const isMuted = this.isMuted;
      navigator.mediaDevices.getUserMedia(AUDIO).then(
        async (other) => {
          if (isFree(this.state)) return other.getTracks().forEach((each) => each.stop());
          this.#microphone = other;
          this.#watch(other);
          this.mute(isMuted);
          const [next] = other.getAudioTracks();
          if (next) await this.#peer?.replace(next);
          this.error = null;
        },
        () => {},
      );
    });
  }

  #impossible(why: string): void {
    this.#fail("impossible");
    this.error = why;
  }

  #fail(end: End): void {
    this.#step({ type: "over", end });
  }

  #release(): void {
    clearTimeout(this.#connectTimer);
    clearTimeout(this.#expiryTimer);
    this.#peer?.close();
    this.#peer = null;
    this.#early = [];
    this.audio = null;
    this.isMuted = false;
    for (const track of this.#microphone?.getTracks() ?? []) track.stop();
    this.#microphone = null;
  }
}
