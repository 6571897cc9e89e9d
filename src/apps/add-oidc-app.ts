import { create } from "@bufbuild/protobuf";
import { type AddOIDCAppResponse, AddOIDCAppResponseSchema } from "../../gen/signet/v1/app_pb.js";
import type { Call } from "../call.ts";
import { createClientSecret, createId, hashSecret } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { OidcAppPayload } from "../events/catalogue.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import type { NewOidcApp } from "./check-oidc-app.ts";
import type { ChangeAppParts } from "./prepare-app-change.ts";
import { configColumns } from "./update-oidc-app-config.ts";

/**
 * Adds an application (docs/api.md). Its id is its client id, too.
 *
 * @param call `orgId` is the owner: an organization, or the instance for an application of all organizations.
 * @throws SignetError for a failure of the database.
 */
export async function addOidcApp(
  { db, clock }: ChangeAppParts,
  { name, config }: NewOidcApp,
  call: Pick<Call, "orgId" | "throwIfOver"> & { readonly userId: string | null },
): Promise<AddOIDCAppResponse> {
  const appId = createId();
  const clientSecret = config.authMethod === "none" ? "" : createClientSecret();
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
  const details = toObjectDetails(row, call.orgId);
  return create(AddOIDCAppResponseSchema, { appId, details, clientId: appId, clientSecret });
}

interface InsertAppValues extends EventValues, OidcAppPayload {
  name: string;
  secretHash: Buffer | null;
}

const insertApp = prepareStatement<InsertAppValues, ObjectRow>((db, param) =>
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
