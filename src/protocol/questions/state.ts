import type { JsonObject } from '../json/json.js';

/** What a sealed state is bound to: it opens only for the same caller, method, target and arguments (MRTR-09). */
export interface StateBinding {
  readonly identityKey: string | undefined;
  readonly method: string;
  /** Name or uri the method is about. */
  readonly target: string;
  /** The arguments as JSON text; the sealer digests it. */
  readonly argumentsText: string;
}

export interface OpenedState {
  readonly payload: JsonObject;
  /** Single use (MRTR-10): spending it a second time answers false. */
  spend(): boolean | Promise<boolean>;
}

/** Seals `requestState`. Implemented with AES-256-GCM in `session/`. */
export interface StateSealer {
  seal(payload: JsonObject, binding: StateBinding): string;
  /** Undefined when forged, expired, spent, another caller's or another call's: one opaque failure. */
  open(text: string, binding: StateBinding): OpenedState | undefined | Promise<OpenedState | undefined>;
}
