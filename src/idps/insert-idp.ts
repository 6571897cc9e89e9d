import { sql } from "kysely";
import type { Operator, Principal } from "../actor.ts";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createId } from "../crypto/secrets.ts";
import type { Database } from "../database/database.ts";
import { prepareWrite } from "../database/prepare-write.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { NewEvent } from "../events/catalogue.ts";
import { type Changed, type ObjectRow, toChanged } from "../events/object-details.ts";
import type { IdpOwner } from "./idp-owner.ts";
import { IDP_SEALED } from "./idp-sealed.ts";
import type { IdpKind, IdpSettings } from "./kinds.ts";

/** The dependencies of the operations that add a provider. */
export interface InsertIdpParts {
  readonly db: Database;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** The columns of a new provider. */
export interface NewIdp {
  readonly name: string;
  readonly kind: IdpKind;
  readonly stylingType: number;
  readonly clientId: string;
  readonly issuer: string;
  readonly scopes: readonly string[];
  readonly settings: IdpSettings;
  readonly displayNameMapping: number;
  readonly usernameMapping: number;
  readonly autoRegister: boolean;
  readonly isLinkingAllowed: boolean;
  readonly isCreationAllowed: boolean;
  readonly isAutoUpdate: boolean;
  readonly autoLinking: number;
}

/**
 * Stores a new provider with its event. Encrypts the secret.
 *
 * @throws SignetError for a failure of the database.
 */
export async function insertIdp(
  { db, keyring, clock }: InsertIdpParts,
  idp: NewIdp,
  secret: string,
  event: NewEvent,
  owner: IdpOwner,
  call: Call<Principal | Operator>,
): Promise<Changed & { readonly id: string }> {
  const id = createId();
  const sealed = keyring.seal({ ...IDP_SEALED, rowId: id }, secret);
  const values = {
    ...idp,
    ownerId: owner.id,
    aggregateId: id,
    editorId: call.userId,
    scopes: [...idp.scopes],
    settings: JSON.stringify(idp.settings),
    clientSecret: sealed.ciphertext,
    clientSecretKey: sealed.keyId,
    now: clock(),
    events: eventsToJson([event]),
  };
  const [row] = await insertRow(db, values, call, { id });
  if (row === undefined) throw new Error("an insert returned no row");
  return { id, ...toChanged(row, owner.id) };
}

interface InsertValues extends EventValues, Omit<NewIdp, "settings" | "scopes"> {
  scopes: string[];
  /** JSON. */
  settings: string;
  clientSecret: Buffer;
  clientSecretKey: string;
}

const insertRow = prepareWrite<InsertValues, ObjectRow>((db, param, returnRows) =>
  returnRows(
    db
      .with("created", (query) =>
        query
          .insertInto("idps")
          .values({
            owner_id: param("ownerId", "uuid"),
            id: param("aggregateId", "uuid"),
            ...createdColumns(param),
            name: param("name", "text"),
            kind: param("kind", "text"),
            styling_type: param("stylingType", "smallint"),
            client_id: param("clientId", "text"),
            client_secret: param("clientSecret", "bytea"),
            client_secret_key: param("clientSecretKey", "text"),
            issuer: param("issuer", "text"),
            scopes: param("scopes", "text[]"),
            config: sql<object>`${param("settings", "jsonb")}`,
            display_name_mapping: param("displayNameMapping", "smallint"),
            username_mapping: param("usernameMapping", "smallint"),
            auto_register: param("autoRegister", "boolean"),
            is_linking_allowed: param("isLinkingAllowed", "boolean"),
            is_creation_allowed: param("isCreationAllowed", "boolean"),
            is_auto_update: param("isAutoUpdate", "boolean"),
            auto_linking: param("autoLinking", "smallint"),
          })
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "created"))
      .with("result", (query) => query.selectFrom("created").selectAll()),
  ),
);
