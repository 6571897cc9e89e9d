import { generateKeyPairSync, type JsonWebKey, type KeyPairKeyObjectResult } from "node:crypto";
import { sql } from "kysely";
import type { Keyring } from "../crypto/keyring.ts";
import type { SealedColumn } from "../crypto/rotate-keys.ts";
import { createId } from "../crypto/secrets.ts";
import { toDatabase } from "../database/database.ts";
import type { SigningAlgorithm } from "../database/oidc-tables.ts";
import { prepareStatement } from "../database/prepare.ts";
import type { Tables } from "../database/tables.ts";
import type { ChangeParts } from "../events/change-object.ts";
import { SESSION_SECONDS } from "./lifetimes.ts";

/** The column of encrypted signing keys. */
export const SIGNING_KEY_SEALED = {
  table: "signing_keys",
  owner: "instance_id",
  column: "private_jwk",
} as const satisfies SealedColumn;

export interface SigningKeyParts extends ChangeParts {
  readonly keyring: Keyring;
}

/** A private key as a JSON Web Key (RFC 7517). */
export type SigningKey = JsonWebKey & { readonly kid: string; readonly alg: string; readonly use: "sig" };

/** The algorithms of ID tokens and logout tokens. Each has keys of its own (RFC 7517, section 4.4). */
export const SIGNING_ALGORITHMS = ["RS256", "ES256", "EdDSA", "PS256"] as const satisfies readonly SigningAlgorithm[];

/** Every process reads the keys more often than this, and clients fetch unknown keys. */
const ANNOUNCED_MS = 10 * 60_000;

/**
 * How long a key verifies after the next one has started to sign. An ID token is a valid `id_token_hint` for as long as
 * a session lasts.
 */
const RETIRED_MS = (SESSION_SECONDS.absolute + 86_400) * 1_000;

/** The key of the advisory lock, an arbitrary number. */
const FIRST_KEYS_LOCK = 7_446_844;

/**
 * Creates the instance's signing keys if there are none. Several processes may call it: an advisory lock serializes
 * them, and only the first one inserts its keys.
 */
export async function ensureSigningKeys(parts: SigningKeyParts): Promise<void> {
  const now = parts.clock();
  const existing = new Set((await selectKeys(parts.db, { now })).map(({ algorithm }) => algorithm));
  const missing = SIGNING_ALGORITHMS.filter((algorithm) => !existing.has(algorithm));
  if (missing.length === 0) return;
  const keys = missing.map((algorithm) => createKey(parts, algorithm, now));
  // The changes that another process made before releasing the lock must be visible.
  const transaction = parts.db.transaction().setIsolationLevel("read committed");
  await transaction.execute(async (begun) => {
    const db = toDatabase(begun);
    await sql`select pg_advisory_xact_lock(${FIRST_KEYS_LOCK})`.execute(db);
    for (const key of keys) await insertKey(db, { ...key, isFirst: true });
  });
}

/**
 * Creates a new key for each algorithm, and deletes keys whose signatures are no longer in use. A new key starts to
 * sign after ten minutes, when every process and client can know it.
 *
 * @returns When the new keys start to sign.
 */
export async function rotateSigningKeys(parts: SigningKeyParts): Promise<Date> {
  const now = parts.clock();
  const signsFrom = new Date(now.getTime() + ANNOUNCED_MS);
  await deleteKeys(parts.db, { before: new Date(now.getTime() - RETIRED_MS) });
  for (const algorithm of SIGNING_ALGORITHMS) {
    await insertKey(parts.db, { ...createKey(parts, algorithm, signsFrom), isFirst: false });
  }
  return signsFrom;
}

/** Returns the keys: for each algorithm, first the one that signs, then the ones that verify. */
export async function readSigningKeys({ db, keyring, clock }: SigningKeyParts): Promise<SigningKey[]> {
  const rows = await selectKeys(db, { now: clock() });
  return rows.map(({ id, algorithm, private_jwk, private_jwk_key }) => {
    const sealed = { ciphertext: private_jwk, keyId: private_jwk_key };
    const jwk: JsonWebKey = JSON.parse(keyring.open({ ...SIGNING_KEY_SEALED, rowId: id }, sealed));
    return { ...jwk, kid: id, alg: algorithm, use: "sig" };
  });
}

function createKey({ keyring, clock }: SigningKeyParts, algorithm: SigningAlgorithm, signsFrom: Date): InsertKeyValues {
  const { privateKey } = generateKeys(algorithm);
  const id = createId();
  const sealed = keyring.seal(
    { ...SIGNING_KEY_SEALED, rowId: id },
    JSON.stringify(privateKey.export({ format: "jwk" })),
  );
  return { id, algorithm, privateJwk: sealed.ciphertext, privateJwkKey: sealed.keyId, signsFrom, now: clock() };
}

function generateKeys(algorithm: SigningAlgorithm): KeyPairKeyObjectResult {
  switch (algorithm) {
    case "ES256":
      return generateKeyPairSync("ec", { namedCurve: "P-256" });
    case "EdDSA":
      return generateKeyPairSync("ed25519");
    case "RS256":
    case "PS256":
      return generateKeyPairSync("rsa", { modulusLength: 2_048 });
  }
}

interface InsertKeyValues {
  id: string;
  algorithm: SigningAlgorithm;
  privateJwk: Buffer;
  privateJwkKey: string;
  signsFrom: Date;
  now: Date;
}

/** Deletes the keys whose successor started to sign before the given time. */
const deleteKeys = prepareStatement<{ before: Date }, never>((db, param) =>
  db
    .deleteFrom("signing_keys")
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom("signing_keys as next")
          .select("next.id")
          .whereRef("next.algorithm", "=", "signing_keys.algorithm")
          .whereRef("next.signs_from", ">", "signing_keys.signs_from")
          .where("next.signs_from", "<", param("before", "timestamptz")),
      ),
    )
    .$castTo<never>(),
);

/** Inserts a key. With `isFirst`, only if the algorithm has none. */
const insertKey = prepareStatement<InsertKeyValues & { isFirst: boolean }, never>((db, param) => {
  const algorithm = param("algorithm", "text");
  return db
    .insertInto("signing_keys")
    .columns(["instance_id", "id", "algorithm", "private_jwk", "private_jwk_key", "created_at", "signs_from"])
    .expression((eb) =>
      eb
        .selectFrom("instance")
        .select([
          "instance.id",
          sql`${param("id", "uuid")}`.as("key_id"),
          sql`${algorithm}`.as("algorithm"),
          sql`${param("privateJwk", "bytea")}`.as("private_jwk"),
          sql`${param("privateJwkKey", "text")}`.as("private_jwk_key"),
          sql`${param("now", "timestamptz")}`.as("created_at"),
          sql`${param("signsFrom", "timestamptz")}`.as("signs_from"),
        ])
        .where(
          sql<boolean>`not (${param("isFirst", "boolean")}
            and exists (select from signing_keys where algorithm = ${algorithm}))`,
        ),
    )
    .$castTo<never>();
});

/** For each algorithm, first the newest key that already signs. */
const selectKeys = prepareStatement<{ now: Date }, Tables["signing_keys"]>((db, param) =>
  db
    .selectFrom("signing_keys")
    .selectAll()
    .orderBy("algorithm", "desc")
    .orderBy((eb) => eb("signs_from", "<=", param("now", "timestamptz")), "desc")
    .orderBy("signs_from", "desc"),
);
