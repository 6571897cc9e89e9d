import { Provider } from "oidc-provider";
import type { ArtifactWrites } from "./store-artifacts.ts";

const NOTHING: ArtifactWrites = { stored: [], deleted: undefined, consumed: undefined };

/** Of the requests that the provider serves. */
const heldOfRequests = new WeakMap<object, ArtifactWrites>();

/**
 * Holds writes until the request stores its next artifact, so that one statement makes all of them, or none.
 *
 * @returns false outside of a request: the write has to be made at once.
 */
export function hold(writes: Partial<ArtifactWrites>): boolean {
  const { ctx } = Provider;
  if (ctx === undefined) return false;
  const held = heldOfRequests.get(ctx) ?? NOTHING;
  heldOfRequests.set(ctx, { ...held, ...writes, stored: [...held.stored, ...(writes.stored ?? [])] });
  return true;
}

/** Returns what the request has held. */
export function takeHeld(): ArtifactWrites {
  const { ctx } = Provider;
  if (ctx === undefined) return NOTHING;
  const held = heldOfRequests.get(ctx) ?? NOTHING;
  heldOfRequests.delete(ctx);
  return held;
}
