import { create } from "@bufbuild/protobuf";
import { durationFromMs } from "@bufbuild/protobuf/wkt";
import { type Expression, type Kysely, sql } from "kysely";
import { type ImportHumanUserResponse, ImportHumanUserResponseSchema } from "../../gen/signet/v1/management_pb.js";
import type { Call } from "../call.ts";
import type { Clock } from "../clock.ts";
import { insertCodes } from "../codes/issue-code.ts";
import { VALID_SECONDS } from "../codes/kinds.ts";
import type { Keyring } from "../crypto/keyring.ts";
import { createId, isId } from "../crypto/secrets.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { createdColumns } from "../events/aggregate-columns.ts";
import { appendEvents, eventsToJson } from "../events/append-events.ts";
import type { HumanPayload, NewEvent } from "../events/catalogue.ts";
import { type ObjectRow, toObjectDetails } from "../events/object-details.ts";
import { userNameKey } from "../fields/user-name.ts";
import { type Issued, issuedToJson, type Outbox, type OutboxValues, queueMessages } from "../messages/outbox.ts";
import type { Hasher } from "../passwords/hasher.ts";
import type { HumanToImport } from "./check-import-human-user.ts";
import { USER_SEALED } from "./user-sealed.ts";

/** What `importHumanUser` needs. */
export interface ImportHumanUserParts {
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly passwords: Hasher;
  readonly outbox: Outbox;
  readonly clock: Clock;
}

/**
 * Creates a human user, or imports one with the hash of an existing password (docs/api.md).
 *
 * The user gets an initialization email if the address is not marked as verified, or if there is neither a password nor a
 * hash; and an SMS for a number that is not marked as verified, if an SMS provider is configured.
 *
 * @throws SignetError IDP_NOT_FOUND, USER_NAME_TAKEN, IDP_LINK_TAKEN, or for a failure of the database.
 */
export async function importHumanUser(
  parts: ImportHumanUserParts,
  imported: HumanToImport,
  call: Call,
): Promise<ImportHumanUserResponse> {
  const { db, outbox, clock } = parts;
  const { human, links, emailVerified, phoneVerified } = imported;
  const malformed = links.flatMap(({ idpId }, number) => (isId(idpId) ? [] : number));
  if (malformed.length > 0) throw idpNotFound(malformed);
  const passwordHash = await toPasswordHash(parts, imported, call);

  const userId = createId();
  const now = clock();
  const passkey = imported.requestsPasskey ? outbox.passkeyRegistration(now) : undefined;
  const issued: Issued[] = [
    ...(emailVerified && passwordHash !== null ? [] : [outbox.initialization(human.email)]),
    ...(human.phone !== null && !phoneVerified && outbox.sendsSms ? [outbox.phoneVerification(human.phone)] : []),
    ...(passkey ? [passkey] : []),
  ];
  const [row] = await insertHumanUser(
    db,
    {
      ...human,
      ...sealOtpCode(parts, userId, imported.otpCode),
      ...issuedToJson(issued),
      ownerId: call.orgId,
      instanceId: call.instanceId,
      aggregateId: userId,
      editorId: call.userId,
      userNameKey: userNameKey(human.userName),
      emailVerified,
      phoneVerified,
      passwordHash,
      links: JSON.stringify(links.map((link, number) => ({ number, ...link }))),
      now,
      events: eventsToJson(toEvents(imported, passwordHash !== null, issued)),
    },
    call,
  );
  if (row === undefined) throw new Error("the statement gave no row");
  if (row.sequence === null) throw idpNotFound(row.unknownLinks);
  outbox.announce(issued);

  const validity = durationFromMs(VALID_SECONDS.passkey * 1_000);
  return create(ImportHumanUserResponseSchema, {
    userId,
    details: toObjectDetails(row, call.orgId),
    ...(passkey && {
      passwordlessRegistration: { link: passkey.link, lifetime: validity, expiration: validity },
    }),
  });
}

async function toPasswordHash(
  { passwords }: ImportHumanUserParts,
  { password, passwordHash }: HumanToImport,
  call: Call,
): Promise<string | null> {
  const { orgId, signal, throwIfOver } = call;
  const turn = { kind: "call", orgId } as const;
  const hash = password === undefined ? passwordHash : await passwords.hash(password, { turn, signal, throwIfOver });
  // Hashing takes long: write nothing for a caller who has gone meanwhile.
  call.throwIfOver();
  return hash ?? null;
}

function sealOtpCode({ keyring }: ImportHumanUserParts, userId: string, otpCode: string) {
  const sealed = otpCode ? keyring.seal({ ...USER_SEALED, rowId: userId }, otpCode) : undefined;
  return { otpCode: sealed?.ciphertext ?? null, otpCodeKey: sealed?.keyId ?? null };
}

function toEvents(
  { human, links, emailVerified, phoneVerified }: HumanToImport,
  hasPassword: boolean,
  issued: readonly Issued[],
): NewEvent[] {
  const { email, phone } = human;
  return [
    { type: "user.human.added", payload: { ...human, hasPassword } },
    ...links.map((payload) => ({ type: "user.human.idp.linked", payload }) as const),
    ...(emailVerified ? [{ type: "user.human.email.verified", payload: { email } } as const] : []),
    ...(phone !== null && phoneVerified ? [{ type: "user.human.phone.verified", payload: { phone } } as const] : []),
    ...issued.map(({ code: { event } }) => event),
  ];
}

function idpNotFound(links: readonly number[]): SignetError {
  const fields = links.map((number) => `idps[${number}].configId`).join(", ");
  return new SignetError(
    "IDP_NOT_FOUND",
    `${fields}: no identity provider of the organization or the instance has this id`,
  );
}

/** A human user as the event records it, and what an event must not hold. */
interface InsertHumanUserValues extends Omit<HumanPayload, "hasPassword">, OutboxValues {
  instanceId: string;
  userNameKey: string;
  emailVerified: boolean;
  phoneVerified: boolean;
  passwordHash: string | null;
  otpCode: Buffer | null;
  otpCodeKey: string | null;
  /** A JSON array of {number, idpId, externalUserId, displayName}. */
  links: string;
}

/** The user's details; or no sequence, and the numbers of the links to unknown providers. */
type InsertHumanUserRow = ObjectRow | { readonly sequence: null; readonly unknownLinks: number[] };

/**
 * Writes a human user, the links to identity providers, the events, the codes and the messages. Writes nothing if a link
 * is to a provider that belongs to neither the instance nor the organization.
 */
const insertHumanUser = prepareStatement<InsertHumanUserValues, InsertHumanUserRow>((db, param) => {
  const user = {
    org_id: param("ownerId", "uuid"),
    id: param("aggregateId", "uuid"),
    kind: sql.lit("human"),
    ...createdColumns(param),
    user_name: param("userName", "text"),
    user_name_key: param("userNameKey", "text"),
    first_name: param("firstName", "text"),
    last_name: param("lastName", "text"),
    nick_name: param("nickName", "text"),
    display_name: param("displayName", "text"),
    preferred_language: param("preferredLanguage", "text"),
    gender: param("gender", "smallint"),
    email: param("email", "text"),
    email_verified: param("emailVerified", "boolean"),
    phone: param("phone", "text"),
    phone_verified: param("phoneVerified", "boolean"),
    password_hash: param("passwordHash", "text"),
    password_change_required: param("passwordChangeRequired", "boolean"),
    otp_code: param("otpCode", "bytea"),
    otp_code_key: param("otpCodeKey", "text"),
  } satisfies Record<keyof Tables["users"], Expression<unknown>>;
  const columns = Object.keys(user) as (keyof typeof user)[];

  return db
    .with("link", (query) =>
      query
        .selectFrom(givenLinks(param("links", "jsonb")))
        .leftJoin("idps", (join) =>
          join
            .onRef("idps.id", "=", "given.idp_id")
            .on("idps.owner_id", "in", [param("ownerId", "uuid"), param("instanceId", "uuid")]),
        )
        .select(["given.number", "given.idp_id", "given.external_user_id", "given.display_name", "idps.owner_id"]),
    )
    .with("created", (query) =>
      query
        .insertInto("users")
        .columns(columns)
        .expression(
          query
            .selectNoFrom(columns.map((column) => sql`${user[column]}`.as(column)))
            .where(({ not, exists, selectFrom }) =>
              not(exists(selectFrom("link").select("number").where("owner_id", "is", null))),
            ),
        )
        .returning(["sequence", "created_at", "changed_at"]),
    )
    .with("linked", (query) =>
      query
        .insertInto("user_idp_links")
        .columns(["org_id", "idp_id", "external_user_id", "idp_owner_id", "user_id", "display_name", "created_at"])
        .expression(
          query
            .selectFrom(["created", "link"])
            .select([
              sql<string>`${param("ownerId", "uuid")}`.as("org_id"),
              "link.idp_id",
              "link.external_user_id",
              "link.owner_id",
              sql<string>`${param("aggregateId", "uuid")}`.as("user_id"),
              "link.display_name",
              "created.created_at",
            ])
            // The same order in all imports, so that two with the same links wait for each other instead of deadlocking.
            .orderBy("link.idp_id")
            .orderBy("link.external_user_id"),
        ),
    )
    .with("appended", () => appendEvents(param, "created"))
    .with("coded", () => insertCodes(param, "created"))
    .with("queued", () => queueMessages(param, "created"))
    .selectFrom(sql`(select)`.as("always"))
    .leftJoin("created", (join) => join.onTrue())
    .select(["created.sequence", "created.created_at", "created.changed_at"])
    .select(({ selectFrom }) =>
      sql<number[]>`array(${selectFrom("link").select("number").where("owner_id", "is", null).orderBy("number")})`.as(
        "unknownLinks",
      ),
    );
});

/** The links of a request as rows, numbered from 0. */
function givenLinks(links: Expression<unknown>) {
  type Link = { number: number; idp_id: string; external_user_id: string; display_name: string };
  return sql<Link>`(
    select number, "idpId" as idp_id, "externalUserId" as external_user_id, "displayName" as display_name
    from jsonb_to_recordset(${links}) as link (number int, "idpId" uuid, "externalUserId" text, "displayName" text)
  )`.as("given");
}
