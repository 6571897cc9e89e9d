import type { Config } from "../config.ts";
import type { IdpKind } from "../idps/kinds.ts";
import { responseUrl } from "../sign-in/idp-urls.ts";
import { print } from "./print.ts";

/** Prints a new provider, with the URL to register there. */
export function printNewIdp(
  asJson: boolean,
  config: Pick<Config, "publicUrl">,
  { id, kind, ownerId }: { readonly id: string; readonly kind: IdpKind; readonly ownerId: string | undefined },
): void {
  const url = responseUrl(config, { id, kind });
  print(asJson, { id, ownerId, callbackUrl: url }, [`id:           ${id}`, `callback URL: ${url}`]);
}
