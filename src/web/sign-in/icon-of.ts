import type { OfferedIdp } from "../../idps/find-sign-in-idp.ts";
import type { IdpKind } from "../../idps/kinds.ts";
import { STYLING_TYPE } from "../../idps/stored-numbers.ts";

/** The brands whose icons the sign-in page has. */
export type IconName = "apple" | "github" | "gitlab" | "google" | "microsoft" | "other";

/** The hosts of the issuers. */
const HOSTS: Readonly<Record<string, IconName>> = {
  "accounts.google.com": "google",
  "appleid.apple.com": "apple",
  "github.com": "github",
  "gitlab.com": "gitlab",
  "login.microsoftonline.com": "microsoft",
  "sts.windows.net": "microsoft",
};

/** The icons of the kinds of providers that have one. */
const KINDS: Readonly<Partial<Record<IdpKind, IconName>>> = {
  apple: "apple",
  azure: "microsoft",
  github: "github",
  github_es: "github",
  gitlab: "gitlab",
  gitlab_self_hosted: "gitlab",
  google: "google",
};

/** The icon of a provider: that of its kind or issuer, or a neutral one. */
export function iconOf({ kind, stylingType, issuer }: Pick<OfferedIdp, "kind" | "stylingType" | "issuer">): IconName {
  const ofKind = KINDS[kind];
  if (ofKind !== undefined) return ofKind;
  if (stylingType === STYLING_TYPE.google) return "google";
  return HOSTS[URL.parse(issuer)?.hostname ?? ""] ?? "other";
}
