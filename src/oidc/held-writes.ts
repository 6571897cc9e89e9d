import { stateOfRequest } from "./request-state.ts";
import type { ArtifactWrites } from "./store-artifacts.ts";

export const NO_WRITES: ArtifactWrites = { stored: [], deleted: undefined, consumed: undefined, continued: undefined };

/**
 * Holds writes until the request stores its next artifact, so that one statement executes all of them or none.
 *
 * @returns False outside a request, where the write has to be executed immediately.
 */
export function hold(writes: Partial<ArtifactWrites>): boolean {
  const state = stateOfRequest();
  if (state === undefined) return false;
  const held = state.held ?? NO_WRITES;
  state.held = { ...held, ...writes, stored: [...held.stored, ...(writes.stored ?? [])] };
  return true;
}

/**
 * Removes and returns the held writes of a request, by default the current one.
 *
 * @returns Undefined if the request holds no writes.
 */
export function takeHeld(ctx?: object): ArtifactWrites | undefined {
  const state = stateOfRequest(ctx);
  const held = state?.held;
  if (state !== undefined) state.held = undefined;
  return held;
}
