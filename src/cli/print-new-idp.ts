import type { Config } from "../config.ts";
import type { IdpKind } from "../idps/kinds.ts";
import { samlAcsUrl } from "../sign-in/saml-sign-in.ts";
import { callbackUrl } from "../web/sign-in/idp-callback.ts";
import { print } from "./print.ts";

/** The URL to register at a provider. */
export function responseUrl(
  config: Pick<Config, "publicUrl">,
  { id, kind }: { readonly id: string; readonly kind: IdpKind },
): string {
  return kind === "saml" ? samlAcsUrl(config, id) : callbackUrl(config, id);
}

/** Prints a new provider, with the URL to register there. */
export function printNewIdp(
  asJson: boolean,
  config: Pick<Config, "publicUrl">,
  { id, kind, ownerId }: { readonly id: string; readonly kind: IdpKind; readonly ownerId: string | undefined },
): void {
  const url = responseUrl(config, { id, kind });
  print(asJson, { id, ownerId, callbackUrl: url }, [`id:           ${id}`, `callback URL: ${url}`]);
}
