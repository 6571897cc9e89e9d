import type { Call } from "../call.ts";
import { SignetError } from "../errors.ts";

/** The owner of an identity provider. Event types start with the kind. */
export interface IdpOwner {
  readonly kind: "instance" | "org";
  readonly id: string;
}

export function instanceOf({ instanceId }: Call): IdpOwner {
  return { kind: "instance", id: instanceId };
}

export function orgOf({ orgId }: Call): IdpOwner {
  return { kind: "org", id: orgId };
}

/** @param field JSON path of the id. */
export function idpNotFound({ kind }: IdpOwner, field: "id" | "idpId", idpId: string): SignetError {
  const owner = kind === "org" ? "organization" : "instance";
  return new SignetError("IDP_NOT_FOUND", `${field}: no identity provider of the ${owner} has this id`, {
    metadata: { field, idpId },
  });
}
