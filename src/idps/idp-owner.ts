import { SignetError } from "../errors.ts";
import type { Owner } from "../owner.ts";

/** @param field JSON path of the id. */
export function idpNotFound({ kind }: Owner, field: "id" | "idpId", idpId: string): SignetError {
  const owner = kind === "org" ? "organization" : "instance";
  return new SignetError("IDP_NOT_FOUND", `${field}: no identity provider of the ${owner} has this id`, {
    metadata: { field, idpId },
  });
}
