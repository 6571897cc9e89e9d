import { createHash, timingSafeEqual } from "node:crypto";
import { create, type DescMethodUnary, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import type { Kysely } from "kysely";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import { isInstancePermission, type Permission } from "../access/roles.ts";
import type { Call, KeptResponse } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring, Place } from "../crypto/keyring.ts";
import { bytesToText } from "../database/command-list.ts";
import type { SerializePerKey } from "../database/serialize-per-key.ts";
import type { Tables } from "../database/tables.ts";
import { SignetError } from "../errors.ts";
import { toObjectDetails } from "../events/object-details.ts";
import { findKeptResponse, type KeptResponseRow } from "./kept-responses.ts";

/** An RPC that changes data. Its responses have a field `details` with the details of the changed object. */
export interface WritingRpc {
  readonly desc: DescMethodUnary;
  readonly name: string;
  readonly permission: Permission;
}

export interface RunOnceParts {
  readonly db: Kysely<Tables>;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Keyed by caller and key. */
  readonly serializeKeyed: SerializePerKey;
}

/** A call with `idempotency-key`. */
interface KeyedCall {
  readonly rpc: WritingRpc;
  readonly call: Call;
  readonly keyHash: Buffer;
  /** The place of the stored response. */
  readonly place: Place;
  readonly signature: string;
}

/** How long responses are stored. */
const KEPT_MS = 24 * 3_600_000;

/**
 * Runs the operation of a call with `idempotency-key` once in 24 hours. Later calls get the first response.
 *
 * @param run Runs the operation. Its statement stores the response together with the change, so neither exists without
 *   the other. If the operation fails, no response is stored.
 * @throws SignetError IDEMPOTENCY_KEY_REUSED if the caller has used the key for a different call; ABORTED if another
 *   process is running the same call.
 */
export async function runOnce(
  parts: RunOnceParts,
  { rpc, request, key }: { readonly rpc: WritingRpc; readonly request: Message; readonly key: string },
  call: Call,
  run: () => Promise<Message>,
): Promise<Message> {
  const keyHash = createHash("sha256").update(key).digest();
  const place = { table: "idempotency_keys", column: "answer", rowId: `${call.userId} ${keyHash.toString("hex")}` };
  const keyed = { rpc, call, keyHash, place, signature: toSignature(rpc, request, call) };
  return await parts.serializeKeyed(place.rowId, () => runOrFind(parts, keyed, run));
}

async function runOrFind(parts: RunOnceParts, keyed: KeyedCall, run: () => Promise<Message>): Promise<Message> {
  const { rpc, call } = keyed;
  call.throwIfOver();
  const kept = await findResponse(parts, keyed);
  if (kept !== undefined) return kept;
  const keptResponse = createKeptResponse(parts, keyed);
  try {
    call.keptResponse = keptResponse;
    const response = await run();
    if (!keptResponse.isStored()) throw new Error(`${rpc.name} does not store its responses`);
    return response;
  } catch (error) {
    // This call may have failed because another process ran the same call in the meantime.
    const found = error instanceof SignetError ? await findResponse(parts, keyed).catch(ignoreFailure) : undefined;
    if (found !== undefined) return found;
    throw error;
  }
}

async function findResponse(parts: RunOnceParts, keyed: KeyedCall): Promise<Message | undefined> {
  const { db, keyring, clock } = parts;
  const { call, keyHash, signature } = keyed;
  const row = await findKeptResponse(db, { callerId: call.userId, keyHash, now: clock() }, call);
  if (row === undefined) return undefined;
  if (!timingSafeEqual(keyring.digest(signature, row.master_key).mac, row.request_mac)) throw keyReused();
  return toResponse(parts, keyed, row);
}

function toResponse(
  { keyring }: RunOnceParts,
  { rpc, call, place }: KeyedCall,
  { answer: ciphertext, master_key: keyId, ...row }: KeptResponseRow,
): Message {
  const { output } = rpc.desc;
  const response =
    ciphertext === null
      ? create(output)
      : fromBinary(output, Buffer.from(keyring.open(place, { keyId, ciphertext }), "base64"));
  const owner = isInstancePermission(rpc.permission) ? call.instanceId : call.orgId;
  return Object.assign(response, { details: toObjectDetails(row, owner) } satisfies { details: ObjectDetails });
}

function createKeptResponse({ keyring, clock }: RunOnceParts, { rpc, call, keyHash, place, signature }: KeyedCall) {
  const { mac, keyId: masterKey } = keyring.digest(signature);
  let answer: string | null = null;
  let isStored = false;
  return {
    isStored: () => isStored,
    add(message: Message) {
      const bytes = Buffer.from(toBinary(rpc.desc.output, message)).toString("base64");
      answer = bytesToText(keyring.seal(place, bytes).ciphertext);
    },
    toRow() {
      isStored = true;
      const expiresAt = new Date(clock().getTime() + KEPT_MS);
      return {
        callerId: call.userId,
        keyHash: bytesToText(keyHash),
        requestMac: bytesToText(mac),
        answer,
        masterKey,
        expiresAt,
      };
    },
  } satisfies KeptResponse & { isStored(): boolean };
}

/** Identifies the call that a key belongs to. The request is hashed in a canonical form, independent of the wire. */
function toSignature({ name, desc }: WritingRpc, request: Message, { orgId }: Call): string {
  const hash = createHash("sha256").update(toBinary(desc.input, request)).digest("hex");
  return JSON.stringify(["idempotency", name, orgId, hash]);
}

function keyReused(): SignetError {
  return new SignetError("IDEMPOTENCY_KEY_REUSED", "idempotency-key: was used for another call in the last 24 hours");
}

/** Reports the first error, unless the key belongs to another call. */
function ignoreFailure(error: unknown): undefined {
  if (error instanceof SignetError && error.reason === "IDEMPOTENCY_KEY_REUSED") throw error;
  return undefined;
}
