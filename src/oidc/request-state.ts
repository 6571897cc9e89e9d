import { Provider } from "oidc-provider";
import type { ArtifactKey } from "./artifact-keys.ts";
import type { ArtifactWrites } from "./store-artifacts.ts";

/** The state of a request to the provider, kept until its end. */
export interface RequestState {
  /** Additional data that statements have read; see `keepRead`. */
  readonly read: Map<string, unknown>;
  /** Writes that wait for the next artifact; see `hold`. */
  held: ArtifactWrites | undefined;
  /** What the request's artifacts depend on: the session that it found, or the code or token that it consumed. */
  basis: ArtifactKey | undefined;
}

const states = new WeakMap<object, RequestState>();

/**
 * @param ctx By default, the context of the current request.
 * @returns Undefined outside of a request.
 */
export function stateOfRequest(ctx: object | undefined = Provider.ctx): RequestState | undefined {
  if (ctx === undefined) return undefined;
  const state = states.get(ctx) ?? { read: new Map(), held: undefined, basis: undefined };
  states.set(ctx, state);
  return state;
}
