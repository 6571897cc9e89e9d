import type { Operator } from "../actor.ts";
import type { Call } from "../call.ts";
import { prepareStatement } from "../database/prepare.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import { toAppEventPayload } from "./app-event-payload.ts";
import { patchOidcAppConfig } from "./patch-oidc-app-config.ts";
import type { ChangeAppParts } from "./prepare-app-change.ts";
import { configColumns } from "./update-oidc-app-config.ts";

/**
 * The id, and client id, of the console's application. It is the same in every database, so that all processes that
 * start at once create the same application, and a process does not have to look it up to serve the console.
 */
export const CONSOLE_APP_ID = "c0501e00-0000-8000-8000-000000000000";

/** Below PUBLIC_URL. */
export const CONSOLE_PATHS = {
  home: "/console",
  /** The same page, also while the instance has no administrator. */
  root: "/console/",
  signedIn: "/console/signed-in",
  signedOut: "/console/signed-out",
} as const;

const NAME = "Signet Console";

/**
 * Adds the application of the console to the instance, unless there is one, and makes its URIs those of PUBLIC_URL. An
 * application that is deactivated stays so. Several processes may call it at once.
 *
 * @param call Its organization is the instance.
 * @throws SignetError for a failure of the database.
 */
export async function ensureConsoleApp(parts: ChangeAppParts, publicUrl: string, call: Call<Operator>): Promise<void> {
  const { db, clock } = parts;
  const config = toConfig(publicUrl);
  const [created] = await insertConsoleApp(db, {
    ...config,
    ownerId: call.orgId,
    aggregateId: CONSOLE_APP_ID,
    editorId: null,
    name: NAME,
    now: clock(),
    events: eventsToJson([{ type: "app.oidc.added", payload: { name: NAME, ...toAppEventPayload(config) } }]),
  });
  if (created !== undefined) return;
  const { redirectUris, postLogoutRedirectUris, devMode } = config;
  const changes = { redirectUris, postLogoutRedirectUris, devMode };
  await patchOidcAppConfig(parts, { appId: CONSOLE_APP_ID, changes }, call);
}

/** A public client: a browser cannot keep a secret. */
function toConfig(publicUrl: string): OidcAppPayload {
  return {
    type: "spa",
    authMethod: "none",
    grantTypes: ["authorization_code"],
    redirectUris: [publicUrl + CONSOLE_PATHS.signedIn],
    postLogoutRedirectUris: [publicUrl + CONSOLE_PATHS.signedOut],
    additionalOrigins: [],
    backChannelLogoutUri: null,
    accessTokenType: "opaque",
    idTokenUserinfoAssertion: false,
    idTokenSignedResponseAlg: "RS256",
    devMode: publicUrl.startsWith("http:"),
    apiAccess: true,
    jwks: null,
    jwksUri: null,
    serviceUserId: null,
    roles: [],
    metadataClaims: [],
    requiresPkce: true,
    requiresPar: false,
    dpopBoundAccessTokens: false,
  };
}

interface InsertValues extends EventValues, OidcAppPayload {
  name: string;
}

const insertConsoleApp = prepareStatement<InsertValues, unknown>((db, param) =>
  db
    .with("created", (query) =>
      query
        .insertInto("apps")
        .values({
          owner_id: param("ownerId", "uuid"),
          id: param("aggregateId", "uuid"),
          ...createdColumns(param),
          name: param("name", "text"),
          secret_hash: null,
          ...configColumns(param),
        })
        .onConflict((conflict) => conflict.doNothing())
        .returning(["sequence", "changed_at"]),
    )
    .with("appended", () => appendEvents(param, "created"))
    .selectFrom("created")
    .selectAll(),
);
