import { Provider } from "oidc-provider";
import type { ArtifactKey } from "./artifact-keys.ts";
import type { ArtifactWrites } from "./store-artifacts.ts";

/** What is kept of a request to the provider until its end. */
export interface RequestState {
  /** What statements have read besides what was asked for; see `keepRead`. */
  readonly read: Map<string, unknown>;
  /** Writes that wait for the next artifact; see `hold`. */
  held: ArtifactWrites | undefined;
  /** What the request stores its artifacts for: the session that it has found, or the code or token that it has consumed. */
  basis: ArtifactKey | undefined;
}

const states = new WeakMap<object, RequestState>();

/**
 * @param ctx By default that of the current request.
 * @returns undefined outside of a request.
 */
export function stateOfRequest(ctx: object | undefined = Provider.ctx): RequestState | undefined {
  if (ctx === undefined) return undefined;
  const state = states.get(ctx) ?? { read: new Map(), held: undefined, basis: undefined };
  states.set(ctx, state);
  return state;
}
