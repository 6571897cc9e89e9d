import { createHash, timingSafeEqual } from "node:crypto";
import { create, type DescMethodUnary, fromBinary, type Message, toBinary } from "@bufbuild/protobuf";
import type { ObjectDetails } from "../../gen/signet/v1/object_pb.js";
import type { Principal } from "../actor.ts";
import type { Call, Idempotency } from "../call.ts";
import type { Clock } from "../clock.ts";
import type { Keyring, Place } from "../crypto/keyring.ts";
import { bytesToText } from "../database/command-list.ts";
import type { Database } from "../database/database.ts";
import { isKeyUsed } from "../database/failure.ts";
import type { RunTogether } from "../database/run-together.ts";
import type { SerializePerKey } from "../database/serialize-per-key.ts";
import { SignetError } from "../errors.ts";
import { isInstancePermission, type Requirement } from "../roles.ts";
import { toDetails } from "./messages/details.ts";
import { findStoredResponse, type StoredResponseRow } from "./stored-responses.ts";

/** An RPC that changes data. Its responses have a field `details` with the details of the changed object. */
interface WritingRpc {
  readonly desc: DescMethodUnary;
  readonly name: string;
  readonly permission: Requirement;
  /**
   * False if, for the request, the operation only runs commands (`RunTogether`), so that it costs no more than a look-up
   * of its response, and has no effect if its response is stored already.
   */
  readonly looksUpFirst: (request: Message) => boolean;
  /** Converts the result of the operation, or its fields besides `details`. */
  readonly ownerOf?: ((response: object, request: Message) => string) | undefined;
  readonly toResponse: (result: object, call: Call, request: Message) => Message;
}

export interface IdempotencyParts {
  readonly db: Database;
  readonly runTogether: RunTogether;
  readonly keyring: Keyring;
  readonly clock: Clock;
  /** Keyed by caller and key. */
  readonly serializeKeyed: SerializePerKey;
}

/** A call with `idempotency-key`. */
interface KeyedCall {
  readonly rpc: WritingRpc;
  readonly request: Message;
  readonly call: Call<Principal>;
  readonly keyHash: Buffer;
  /** The place of the stored response. */
  readonly place: Place;
  readonly signature: string;
}

/** How long responses are stored. */
const STORED_MS = 24 * 3_600_000;

/**
 * Runs the operation of a call with `idempotency-key` once in 24 hours. Later calls get the first response.
 *
 * @param run Runs the operation. Its statement stores the response together with the change (`idempotency` of the
 *   given call), so neither exists without the other. If the operation fails, no response is stored.
 * @throws SignetError IDEMPOTENCY_KEY_REUSED if the caller has used the key for a different call; ABORTED if another
 *   process is running the same call.
 */
export async function runIdempotently(
  parts: IdempotencyParts,
  { rpc, request, key }: { readonly rpc: WritingRpc; readonly request: Message; readonly key: string },
  call: Call<Principal>,
  run: (call: Call) => Promise<Message>,
): Promise<Message> {
  const keyHash = createHash("sha256").update(key).digest();
  const place = { table: "idempotency_keys", column: "answer", rowId: `${call.userId} ${keyHash.toString("hex")}` };
  const keyed = { rpc, request, call, keyHash, place, signature: toSignature(rpc, request, call) };
  const runKeyed = () => run({ ...call, idempotency: createIdempotency(parts, keyed) });
  return await parts.serializeKeyed(place.rowId, async (hasWaited) => {
    call.throwIfOver();
    const stored = hasWaited || rpc.looksUpFirst(request) ? await findResponse(parts, keyed) : undefined;
    return stored ?? (await runOrFind(parts, keyed, runKeyed));
  });
}

/**
 * Runs the operation. If it fails, that may be because it was run before, here or in another process: its statement has
 * not stored the response a second time.
 */
async function runOrFind(parts: IdempotencyParts, keyed: KeyedCall, run: () => Promise<Message>): Promise<Message> {
  try {
    return await run();
  } catch (error) {
    if (!(error instanceof SignetError)) throw error;
    const found = await findResponse(parts, keyed).catch((failure) => {
      // Reports the first error, unless the key belongs to another call.
      throw failure instanceof SignetError && failure.reason === "IDEMPOTENCY_KEY_REUSED" ? failure : error;
    });
    if (found !== undefined) return found;
    // The stored response has expired, and was deleted.
    if (isKeyUsed(error)) return await run();
    throw error;
  }
}

async function findResponse(parts: IdempotencyParts, keyed: KeyedCall): Promise<Message | undefined> {
  const { keyring, clock } = parts;
  const { call, keyHash, signature } = keyed;
  const row = await findStoredResponse(parts, { callerId: call.userId, keyHash, now: clock() }, call);
  if (row === undefined) return undefined;
  if (!timingSafeEqual(keyring.digest(signature, row.master_key).mac, row.request_mac)) throw keyReused();
  return toResponse(parts, keyed, row);
}

function toResponse(
  { keyring }: IdempotencyParts,
  { rpc, request, call, place }: KeyedCall,
  { answer: ciphertext, master_key: keyId, ...row }: StoredResponseRow,
): Message {
  const { output } = rpc.desc;
  const response =
    ciphertext === null
      ? create(output)
      : fromBinary(output, Buffer.from(keyring.open(place, { keyId, ciphertext }), "base64"));
  const owner =
    rpc.ownerOf?.(response, request) ?? (isInstancePermission(rpc.permission) ? call.instanceId : call.orgId);
  return Object.assign(response, { details: toDetails(row, owner) } satisfies { details: ObjectDetails });
}

function createIdempotency(
  { keyring, clock }: IdempotencyParts,
  { rpc, request, call, keyHash, place, signature }: KeyedCall,
): Idempotency {
  const { mac, keyId: masterKey } = keyring.digest(signature);
  const seal = (result: object) => {
    const bytes = toBinary(rpc.desc.output, rpc.toResponse(result, call, request));
    return bytesToText(keyring.seal(place, Buffer.from(bytes).toString("base64")).ciphertext);
  };
  return {
    toRow: (result) => ({
      callerId: call.userId,
      keyHash: bytesToText(keyHash),
      requestMac: bytesToText(mac),
      response: result === undefined ? null : seal(result),
      masterKey,
      expiresAt: new Date(clock().getTime() + STORED_MS),
    }),
  };
}

/** Identifies the call that a key belongs to. The request is hashed as canonical binary, whatever the protocol. */
function toSignature({ name, desc }: WritingRpc, request: Message, { orgId }: Call): string {
  const hash = createHash("sha256").update(toBinary(desc.input, request)).digest("hex");
  return JSON.stringify(["idempotency", name, orgId, hash]);
}

function keyReused(): SignetError {
  return new SignetError("IDEMPOTENCY_KEY_REUSED", "idempotency-key: was used for another call in the last 24 hours");
}
