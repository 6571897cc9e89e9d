import type { Config } from "../../config.ts";
import type { IdpKind } from "../../idps/kinds.ts";
import { samlAcsUrl } from "./saml-sign-in.ts";

/** The redirect URI to register with a provider. Each provider has a separate one. */
export function callbackUrl({ publicUrl }: Pick<Config, "publicUrl">, idpId: string): string {
  return `${publicUrl}/ui/idps/${idpId}/callback`;
}

/** The URL to register at a provider, to which it sends responses. */
export function responseUrl(
  config: Pick<Config, "publicUrl">,
  { id, kind }: { readonly id: string; readonly kind: IdpKind },
): string {
  return kind === "saml" ? samlAcsUrl(config, id) : callbackUrl(config, id);
}
