import { type Kysely, sql } from "kysely";
import type { AddOIDCIDPRequest } from "../../gen/signet/v1/admin_pb.js";
import type { AddOrgOIDCIDPRequest } from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createId } from "../crypto/secrets.ts";
import { prepareStatementOn } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import type { Violation } from "../errors.ts";
import { appendEvents, type EventValues, eventsToJson } from "../events/append-events.ts";
import type { ObjectRow } from "../events/object-details.ts";
import { describeIssuerProblem } from "../fields/issuer.ts";
import { describeScopeProblem, uniqueScopes } from "../fields/scopes.ts";

/** What both operations that add an OpenID Connect provider need. */
export interface AddOidcIdpContext {
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly clock: Clock;
}

/** The fields of a provider's configuration (docs/api.md): the same for the instance and organizations. */
type OidcIdp = AddOIDCIDPRequest | AddOrgOIDCIDPRequest;

/** The rules of a configuration that a schema cannot say. */
export function checkOidcIdp(idp: OidcIdp): Violation[] {
  const issuer = describeIssuerProblem(idp.issuer);
  return [
    ...(issuer === undefined ? [] : [{ field: "issuer", description: issuer }]),
    ...idp.scopes.flatMap((scope, index) => {
      const description = describeScopeProblem(scope);
      return description === undefined ? [] : [{ field: `scopes[${index}]`, description }];
    }),
  ];
}

/**
 * Stores a configuration with its event, the client secret encrypted.
 *
 * @returns A function that takes the owner: the instance, or an organization.
 */
export function createStoreOidcIdp({ db, keyring, clock }: AddOidcIdpContext) {
  const insertIdp = prepareInsertIdp(db);

  return async (idp: OidcIdp, owner: { id: string; kind: "instance" | "org" }, call: Call) => {
    const id = createId();
    const secret = keyring.seal({ table: "idps", column: "client_secret", rowId: id }, idp.clientSecret);
    const payload = {
      name: idp.name,
      stylingType: idp.stylingType,
      clientId: idp.clientId,
      issuer: idp.issuer,
      scopes: uniqueScopes(idp.scopes),
      displayNameMapping: idp.displayNameMapping,
      usernameMapping: idp.usernameMapping,
      autoRegister: idp.autoRegister,
    };
    const [row] = await insertIdp({
      ...payload,
      ownerId: owner.id,
      aggregateId: id,
      editorId: call.userId,
      clientSecret: secret.ciphertext,
      clientSecretKey: secret.keyId,
      now: clock(),
      events: eventsToJson([{ type: `${owner.kind}.idp.oidc.added`, payload }]),
    });
    if (row === undefined) throw new Error("an insert returned no row");
    return { id, row };
  };
}

interface InsertIdpValues extends EventValues {
  name: string;
  stylingType: number;
  clientId: string;
  clientSecret: Buffer;
  clientSecretKey: string;
  issuer: string;
  scopes: string[];
  displayNameMapping: number;
  usernameMapping: number;
  autoRegister: boolean;
  now: Date;
}

function prepareInsertIdp(db: Kysely<Tables>) {
  return prepareStatementOn<InsertIdpValues, ObjectRow>(db, (param) =>
    db
      .with("created", (query) =>
        query
          .insertInto("idps")
          .values({
            owner_id: param("ownerId", "uuid"),
            id: param("aggregateId", "uuid"),
            sequence: sql`jsonb_array_length(${param("events", "jsonb")})`,
            created_at: param("now", "timestamptz"),
            changed_at: param("now", "timestamptz"),
            name: param("name", "text"),
            styling_type: param("stylingType", "smallint"),
            client_id: param("clientId", "text"),
            client_secret: param("clientSecret", "bytea"),
            client_secret_key: param("clientSecretKey", "text"),
            issuer: param("issuer", "text"),
            scopes: param("scopes", "text[]"),
            display_name_mapping: param("displayNameMapping", "smallint"),
            username_mapping: param("usernameMapping", "smallint"),
            auto_register: param("autoRegister", "boolean"),
          })
          .returning(["sequence", "created_at", "changed_at"]),
      )
      .with("appended", () => appendEvents(param, "created"))
      .selectFrom("created")
      .selectAll(),
  );
}
