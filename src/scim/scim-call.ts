import type { Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { ScimCaller } from "./connections/find-scim-caller.ts";

/** A call of an operation for a request of a directory. */
export type ScimCall = Call<Principal> & { readonly connection: ScimCaller };
