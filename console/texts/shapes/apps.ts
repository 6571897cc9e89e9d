import type { Kind } from "../../screens/apps/kinds.ts";
import type { RedirectUriProblem } from "../../screens/apps/redirect-uri.ts";

/** The texts about applications. */
export interface AppsTexts {
  readonly title: string;
  readonly app: string;
  readonly add: string;
  readonly search: string;
  readonly none: string;
  readonly noneFound: string;
  readonly kind: string;
  readonly clientId: string;
  readonly clientSecret: string;
  readonly kinds: Readonly<Record<Kind, { readonly name: string; readonly meaning: string }>>;
  readonly steps: { readonly kind: string; readonly addresses: string; readonly connect: string };
  readonly nameHint: string;
  readonly redirectUris: string;
  readonly redirectUrisHint: string;
  readonly signOutUris: string;
  readonly devMode: string;
  readonly devModeHint: string;
  readonly uriProblems: Readonly<Record<RedirectUriProblem, string>>;
  readonly serviceUser: string;
  readonly chooseMachine: string;
  readonly noMachines: string;
  readonly added: (name: string) => string;
  readonly toApp: string;
  /** Above the programs. */
  readonly connect: string;
  readonly frameworks: string;
  readonly secretHint: string;
  readonly environment: string;
  readonly origins: string;
  readonly originsHint: string;
  readonly backChannel: string;
  readonly backChannelHint: string;
  readonly tokens: string;
  readonly authentication: string;
  readonly methods: Readonly<Record<"basic" | "post" | "key" | "none", string>>;
  readonly jwksUri: string;
  readonly jwksHint: string;
  readonly jwks: string;
  readonly tokenType: string;
  readonly tokenTypes: { readonly opaque: string; readonly jwt: string };
  readonly refresh: string;
  readonly refreshHint: string;
  readonly idTokenClaims: string;
  readonly idTokenClaimsHint: string;
  readonly idTokenAlgorithm: string;
  readonly device: string;
  readonly deviceHint: string;
  readonly pkce: string;
  readonly pkceHint: string;
  readonly par: string;
  readonly parHint: string;
  readonly dpop: string;
  readonly dpopHint: string;
  readonly apiAccess: string;
  readonly apiAccessHint: string;
  readonly claims: string;
  readonly roles: string;
  readonly rolesHint: string;
  readonly metadataClaims: string;
  readonly metadataClaimsHint: string;
  readonly stale: string;
  readonly actions: Readonly<
    Record<"newSecret" | "deactivate" | "reactivate" | "remove", { readonly label: string; readonly text: string }>
  >;
}
