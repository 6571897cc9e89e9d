import { sql } from "kysely";
import { createClientSecret, createId, hashSecret } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import { apiAccessDenied, mayGrantApiAccess } from "./api-access.ts";
import { toAppEventPayload } from "./app-event-payload.ts";
import type { NewOidcApp } from "./check-oidc-app.ts";
import type { AppCall, ChangeAppParts } from "./prepare-app-change.ts";
import {
  type MayUseService,
  mayUseService,
  refuseServiceUser,
  type ServiceRefusal,
  toServiceError,
} from "./service-user.ts";
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
 * @throws SignetError PERMISSION_DENIED (see `mayGrantApiAccess` and `mayUseService`), INVALID_ARGUMENT for an unknown
 *   `serviceUserId`, or for a failure of the database.
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
    ...mayUseService(call),
    events: eventsToJson([{ type: "app.oidc.added", payload: { name, ...toAppEventPayload(config) } }]),
  };
  const [row] = await insertApp(db, values, call, created);
  if (row === undefined) throw new Error("an insert returned no row");
  if (row.refusal !== null) throw toServiceError(row.refusal);
  return { ...created, ...toChanged(row, call.orgId) };
}

function hasSecret({ authMethod }: OidcAppPayload): boolean {
  return authMethod === "basic" || authMethod === "post";
}

interface InsertAppValues extends EventValues, OidcAppPayload, MayUseService {
  name: string;
  secretHash: Buffer | null;
}

/** The sequence is null if the application was refused. */
type InsertedRow = ObjectRow & { readonly refusal: ServiceRefusal | null };

const insertApp = prepareWrite<InsertAppValues, InsertedRow>((db, param, returnRows) => {
  const columns = {
    owner_id: param("ownerId", "uuid"),
    id: param("aggregateId", "uuid"),
    ...createdColumns(param),
    name: param("name", "text"),
    secret_hash: param("secretHash", "bytea"),
    ...configColumns(param),
  };
  const names = Object.keys(columns) as (keyof typeof columns)[];
  const refusal = refuseServiceUser(param("serviceUserId", "uuid"), param);
  return returnRows(
    db
      .with("decided", () => sql<{ refusal: ServiceRefusal | null }>`(select ${refusal} as refusal)`)
      .with("created", (query) =>
        query
          .insertInto("apps")
          .columns(names)
          .expression(
            query
              .selectFrom("decided")
              .select(names.map((name) => sql`${columns[name]}`.as(name)))
              .where("decided.refusal", "is", null),
          )
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "created"))
      .with("result", (query) =>
        query
          .selectFrom("decided")
          .leftJoin("created", (join) => join.onTrue())
          .select(["decided.refusal", "created.sequence", "created.created_at", "created.changed_at"]),
      ),
  );
});
