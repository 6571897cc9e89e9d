import { Provider } from "oidc-provider";
import type { ArtifactWrites } from "./store-artifacts.ts";

export const NO_WRITES: ArtifactWrites = { stored: [], deleted: undefined, consumed: undefined, continued: undefined };

/** The writes that each request to the provider holds back. */
const heldOfRequests = new WeakMap<object, ArtifactWrites>();

/**
 * Holds writes until the request stores its next artifact, so that one statement makes all of them, or none.
 *
 * @returns false outside a request: the write has to be executed immediately.
 */
export function hold(writes: Partial<ArtifactWrites>): boolean {
  const { ctx } = Provider;
  if (ctx === undefined) return false;
  const held = heldOfRequests.get(ctx) ?? NO_WRITES;
  heldOfRequests.set(ctx, { ...held, ...writes, stored: [...held.stored, ...(writes.stored ?? [])] });
  return true;
}

/**
 * Removes and returns the held writes of a request, by default the current one.
 *
 * @returns undefined if it holds nothing.
 */
export function takeHeld(ctx: object | undefined = Provider.ctx): ArtifactWrites | undefined {
  if (ctx === undefined) return undefined;
  const held = heldOfRequests.get(ctx);
  heldOfRequests.delete(ctx);
  return held;
}
