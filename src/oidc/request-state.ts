import { Provider } from "oidc-provider";
import type { ArtifactWrites } from "./store-artifacts.ts";

/** What is kept of a request to the provider until its end. */
export interface RequestState {
  /** What statements have read besides what was asked for; see `keepRead`. */
  readonly read: Map<string, unknown>;
  /** Writes that wait for the next artifact; see `hold`. */
  held: ArtifactWrites | undefined;
  /**
   * The id of the session that the request has found. The request stores it at the end, but must not bring it back if it
   * has ended meanwhile. A session that the request starts, or gives a new id, has another id.
   */
  foundSessionId: string | undefined;
}

const states = new WeakMap<object, RequestState>();

/**
 * @param ctx By default that of the current request.
 * @returns undefined outside of a request.
 */
export function stateOfRequest(ctx: object | undefined = Provider.ctx): RequestState | undefined {
  if (ctx === undefined) return undefined;
  const state = states.get(ctx) ?? { read: new Map(), held: undefined, foundSessionId: undefined };
  states.set(ctx, state);
  return state;
}
