import { stateOfRequest } from "./request-state.ts";
import type { ArtifactWrites } from "./store-artifacts.ts";

export const NO_WRITES: ArtifactWrites = { stored: [], deleted: undefined, consumed: undefined, continued: undefined };

/**
 * Holds writes until the request stores its next artifact, so that one statement makes all of them, or none.
 *
 * @returns false outside of a request: the write has to be made at once.
 */
export function hold(writes: Partial<ArtifactWrites>): boolean {
  const state = stateOfRequest();
  if (state === undefined) return false;
  const held = state.held ?? NO_WRITES;
  state.held = { ...held, ...writes, stored: [...held.stored, ...(writes.stored ?? [])] };
  return true;
}

/**
 * Returns what a request holds, by default the current one, and forgets it.
 *
 * @returns undefined if it holds nothing.
 */
export function takeHeld(ctx?: object): ArtifactWrites | undefined {
  const state = stateOfRequest(ctx);
  const held = state?.held;
  if (state !== undefined) state.held = undefined;
  return held;
}
