import { invalidArgument, type Problems } from "../errors.ts";
import { checkIdpName } from "./check-idp-fields.ts";
import type { IdpKind } from "./kinds.ts";
import type { IdpRow } from "./list-idps.ts";

/** A provider whose settings are not known yet. */
export interface ProviderDraft {
  readonly name: string;
  readonly kind: IdpKind;
}

/** Checks the rules of a draft that the schema cannot express. */
export function checkProviderDraft({ name, kind }: ProviderDraft, problems: Problems): ProviderDraft {
  return { name: checkIdpName(name, problems), kind };
}

type Identity = Pick<IdpRow, "client_id" | "issuer"> & { readonly kind: string };

/** Whether a provider has no settings yet. Every call that sets them sets the client, or the entity of SAML. */
export function isDraft({ kind, client_id: clientId, issuer }: Identity): boolean {
  return (kind === "saml" ? issuer : clientId) === "";
}

/** @throws SignetError INVALID_ARGUMENT if the settings of a draft come without a secret: none is stored. */
export function checkFirstSecret(idp: Identity, secret: string): void {
  if (secret !== "" || idp.kind === "saml" || !isDraft(idp)) return;
  const field = idp.kind === "apple" ? "privateKey" : "clientSecret";
  throw invalidArgument({ field, description: "is required, because none is stored yet" });
}
