import type { Source } from "./source.ts";
import { auth0 } from "./sources/auth0.ts";
import { betterAuth } from "./sources/better-auth.ts";
import { clerk } from "./sources/clerk.ts";
import { cognito } from "./sources/cognito.ts";
import { csv } from "./sources/csv.ts";
import { entra } from "./sources/entra.ts";
import { firebase } from "./sources/firebase.ts";
import { fusionauth } from "./sources/fusionauth.ts";
import { keycloak } from "./sources/keycloak.ts";
import { kratos } from "./sources/kratos.ts";
import { ldif } from "./sources/ldif.ts";
import { logto } from "./sources/logto.ts";
import { okta } from "./sources/okta.ts";
import { signet } from "./sources/signet.ts";
import { supabase } from "./sources/supabase.ts";
import { workos } from "./sources/workos.ts";
import { zitadel } from "./sources/zitadel.ts";

/** The systems whose exports can be read, by the names that `--from` takes. */
export const SOURCES: Readonly<Record<string, Source>> = Object.fromEntries(
  [
    ...[auth0, keycloak, zitadel, kratos, firebase, cognito, betterAuth, supabase, clerk, workos, okta],
    ...[entra, fusionauth, logto, ldif, csv, signet],
  ].map((source) => [source.name, source]),
);
