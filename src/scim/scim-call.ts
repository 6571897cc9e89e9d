import type { Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { ScimCaller } from "./connections/find-scim-caller.ts";

/** A call of an operation for a request of a directory. */
export type ScimCall = Call<Principal> & {
  readonly connection: ScimCaller;
  /** Whether domains are verified ones of the organization, if the operations of a bulk request share what is looked up. */
  readonly coveredDomains?: Map<string, Promise<boolean>>;
};
