import { create } from "@bufbuild/protobuf";
import { type AddOIDCAppResponse, AddOIDCAppResponseSchema } from "../../gen/signet/v1/app_pb.js";
import { createClientSecret, createId, hashSecret } from "../crypto/secrets.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import type { NewOidcApp } from "./check-oidc-app.ts";
import type { AppCall, ChangeAppParts } from "./prepare-app-change.ts";
import { configColumns } from "./update-oidc-app-config.ts";

/**
 * Adds an application (docs/api.md). Its id is also its client id.
 *
 * @throws SignetError for a failure of the database.
 */
export async function addOidcApp(
  { db, clock }: ChangeAppParts,
  { name, config }: NewOidcApp,
  call: AppCall,
): Promise<AddOIDCAppResponse> {
  const appId = createId();
  const clientSecret = config.authMethod === "none" ? "" : createClientSecret();
  const response = create(AddOIDCAppResponseSchema, { appId, clientId: appId, clientSecret });
  call.keptResponse?.add(response);
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
  const [row] = await insertApp(db, values, call);
  if (row === undefined) throw new Error("an insert returned no row");
  response.details = toObjectDetails(row, call.orgId);
  return response;
}

interface InsertAppValues extends EventValues, OidcAppPayload {
  name: string;
  secretHash: Buffer | null;
}

const insertApp = prepareWrite<InsertAppValues, ObjectRow>((db, param) =>
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
    .selectFrom("created")
    .selectAll(),
);
