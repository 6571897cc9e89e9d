import { SignetError } from "../errors.ts";
import type { Owner } from "../owner.ts";

/** The owner of an identity provider. */
export type IdpOwner = Owner;

/** @param field JSON path of the id. */
export function idpNotFound({ kind }: IdpOwner, field: "id" | "idpId", idpId: string): SignetError {
  const owner = kind === "org" ? "organization" : "instance";
  return new SignetError("IDP_NOT_FOUND", `${field}: no identity provider of the ${owner} has this id`, {
    metadata: { field, idpId },
  });
}
