import { createClientSecret, createId, hashSecret } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { apiAccessDenied, mayGrantApiAccess } from "./api-access.ts";
import type { NewOidcApp } from "./check-oidc-app.ts";
import type { AppCall, ChangeAppParts } from "./prepare-app-change.ts";
import { configColumns } from "./update-oidc-app-config.ts";

export interface CreatedApp {
  readonly appId: string;
  readonly clientId: string;
  /** Empty if the application has none. */
  readonly clientSecret: string;
}

/**
 * Adds an application (docs/api.md). Its id is also its client id.
 *
 * @throws SignetError PERMISSION_DENIED (see `mayGrantApiAccess`), or for a failure of the database.
 */
export async function addOidcApp(
  { db, clock }: ChangeAppParts,
  { name, config }: NewOidcApp,
  call: AppCall,
): Promise<Changed & CreatedApp> {
  if (config.apiAccess && !mayGrantApiAccess(call)) throw apiAccessDenied();
  const appId = createId();
  const clientSecret = hasSecret(config) ? createClientSecret() : "";
  const created = { appId, clientId: appId, clientSecret };
  const values = {
    ...config,
    ownerId: call.orgId,
    aggregateId: appId,
    editorId: call.userId,
    name,
    secretHash: clientSecret === "" ? null : hashSecret(clientSecret),
    now: clock(),
    events: eventsToJson([{ type: "app.oidc.added", payload: { name, ...config } }]),
  };
  const [row] = await insertApp(db, values, call, created);
  if (row === undefined) throw new Error("an insert returned no row");
  return { ...created, ...toChanged(row, call.orgId) };
}

function hasSecret({ authMethod }: OidcAppPayload): boolean {
  return authMethod === "basic" || authMethod === "post";
}

interface InsertAppValues extends EventValues, OidcAppPayload {
  name: string;
  secretHash: Buffer | null;
}

const insertApp = prepareWrite<InsertAppValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("created", (query) =>
        query
          .insertInto("apps")
          .values({
            owner_id: param("ownerId", "uuid"),
            id: param("aggregateId", "uuid"),
            ...createdColumns(param),
            name: param("name", "text"),
            secret_hash: param("secretHash", "bytea"),
            ...configColumns(param),
          })
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "created"))
      .with("result", (query) => query.selectFrom("created").selectAll()),
  ),
);
