import type { Operator, Principal } from "../../../src/actor.ts";
import { type Call, createOperatorCall } from "../../../src/call.ts";
import { createId } from "../../../src/crypto/secrets.ts";

/** The call of an owner of the instance without a port. Never canceled. */
export function createPrincipalCall(given: Partial<Call<Principal>> = {}): Call<Principal> {
  return {
    kind: "principal",
    userId: createId(),
    instanceId: createId(),
    orgId: createId(),
    instanceRoles: ["INSTANCE_OWNER"],
    orgRoles: [],
    userOrgId: createId(),
    roleScopes: null,
    signal: AbortSignal.any([]),
    throwIfOver() {},
    ...given,
  };
}

/** A call of the operator about the objects of an owner. */
export function ofOperator(ownerId: string): Call<Operator> {
  return createOperatorCall({ instanceId: createId(), orgId: ownerId });
}
