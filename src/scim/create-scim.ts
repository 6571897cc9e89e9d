import type { Logger } from "pino";
import type { RecentCredentials } from "../access/recent-credentials.ts";
import { elapsedMs } from "../clock.ts";
import type { Config } from "../config.ts";
import { hashSecret } from "../crypto/secrets.ts";
import { deadlineExceeded, SignetError } from "../errors.ts";
import type { Exchange } from "../http/exchange.ts";
import type { HandlerMount } from "../http/router.ts";
import { watchExchange } from "../http/watch-exchange.ts";
import { logFailure } from "../log-failure.ts";
import { findScimCaller, SCIM_ROLES, type ScimCaller } from "./connections/find-scim-caller.ts";
import { isScimToken } from "./connections/scim-token.ts";
import { ScimError, type ScimResponse, toErrorResponse } from "./protocol/scim-error.ts";
import { describeRequest } from "./requests/describe-request.ts";
import type { ScimRequestLog } from "./requests/request-log.ts";
import type { ScimCall } from "./scim-call.ts";
import { isChange, MAX_BODY_BYTES, type ScimParts, serveScim } from "./serve-scim.ts";

const PREFIX = "/scim/v2/";

/** Requests of a connection that are served at the same time. Directories wait and repeat others. */
const MOST_OPEN = 32;

interface CreateScimParts extends Omit<ScimParts, "baseUrl"> {
  readonly config: Config;
  readonly recentCredentials: RecentCredentials;
  readonly scimRequests: ScimRequestLog;
  readonly log: Logger;
}

/** Serves `/scim/v2/` (RFC 7644) to directories, each with the token of a connection. */
export function createScimMount(parts: CreateScimParts): HandlerMount {
  const served = { ...parts, baseUrl: `${parts.config.publicUrl}${PREFIX.slice(0, -1)}` };
  const open = new Map<string, number>();
  return { prefix: PREFIX, handler: (exchange) => void respond(served, open, exchange) };
}

async function respond(
  parts: CreateScimParts & ScimParts,
  open: Map<string, number>,
  exchange: Exchange,
): Promise<void> {
  const startedAt = performance.now();
  const { config, clock, log } = parts;
  const { signal, stopTimer, hasGone } = watchExchange(exchange, config.requestTimeoutMs);
  let caller: ScimCaller | undefined;
  const identify = (found: ScimCaller) => {
    caller = found;
    open.set(found.id, (open.get(found.id) ?? 0) + 1);
  };
  const response = await Promise.race([untilAborted(signal), run(parts, open, exchange, signal, identify)]).catch(
    (error: unknown) => toFailure(parts, exchange, error),
  );
  stopTimer();
  if (caller !== undefined) leave(open, caller.id);
  const request = { method: exchange.method, segments: segmentsOf(exchange.path), query: exchange.query };
  const isTried = caller?.isTrial === true && isChange(request) && !TRANSIENT.has(response.status);
  const answer = isTried ? IN_TRIAL : response;
  const { status } = answer;
  if (!hasGone()) exchange.send(status, toHeaders(exchange, answer), toBody(answer));
  if (caller !== undefined && response.status !== 429) {
    const sender = exchange.headers["user-agent"] ?? "";
    const logged = response.operations ?? [{ ...request, response }];
    const describe = ({ response: each, ...operation }: (typeof logged)[number]) =>
      describeRequest({ query: "", ...operation }, each, { at: clock(), sender, isTrial: isTried });
    parts.scimRequests.add(caller, logged.map(describe));
  }
  const [place] = request.segments;
  log.info(
    {
      requestId: exchange.id,
      method: `${exchange.method} ${place !== undefined && PLACES.has(place) ? place : "unknown"}`,
      ...(hasGone() ? { canceled: true } : { status }),
      ms: elapsedMs(startedAt),
      orgId: caller?.orgId,
      scimConnectionId: caller?.id,
    },
    "scim",
  );
}

/** The directory sends everything again later, when the trial may be over. */
const IN_TRIAL: ScimResponse = {
  ...toErrorResponse(
    new ScimError(503, undefined, "the connection is in a trial, which changes nothing: send it again later"),
  ),
  headers: ["retry-after", "300"],
};

/** A directory sends such requests again anyway, and the log of the connection shows the failure. */
const TRANSIENT: ReadonlySet<number> = new Set([429, 500, 503, 504]);

/** The paths that the log shows. */
const PLACES: ReadonlySet<string> = new Set(["Users", "Groups", "Bulk", "Schemas", "ResourceTypes", ".search"]);

async function run(
  parts: CreateScimParts & ScimParts,
  open: ReadonlyMap<string, number>,
  exchange: Exchange,
  signal: AbortSignal,
  identify: (caller: ScimCaller) => void,
): Promise<ScimResponse> {
  const throwIfOver = () => {
    if (signal.aborted) throw deadlineExceeded();
  };
  const reading = exchange.readBody({ maxBytes: MAX_BODY_BYTES, overheadBytes: 0, isOver: () => signal.aborted });
  const connection = await authenticate(parts, exchange, { signal, throwIfOver });
  // Otherwise, the request has been answered, and nothing would end its count.
  throwIfOver();
  identify(connection);
  if ((open.get(connection.id) ?? 0) > MOST_OPEN) {
    const message = `the connection has ${MOST_OPEN} open requests, which is the maximum`;
    throw new SignetError("TOO_MANY_REQUESTS", message, { retryAfterMs: 1_000 });
  }
  const body = await reading;
  if (body instanceof SignetError) throw body;
  throwIfOver();
  throwIfNotJson(exchange, body);
  const { method, query, headers, path } = exchange;
  const { "if-match": ifMatch, "if-none-match": ifNoneMatch } = headers;
  const request = { method, query, segments: segmentsOf(path), ifMatch, ifNoneMatch, body };
  return await serveScim(parts, request, toCall(connection, { signal, throwIfOver }));
}

/** @throws SignetError TOKEN_MISSING, TOKEN_INVALID, TOO_MANY_REQUESTS, or for a failure of the database. */
async function authenticate(
  { db, clock, recentCredentials }: CreateScimParts,
  exchange: Exchange,
  caller: Pick<ScimCall, "signal" | "throwIfOver">,
): Promise<ScimCaller> {
  const [, token] = /^bearer +([^ ]+) *$/i.exec(exchange.headers.authorization ?? "") ?? [];
  const isToken = token !== undefined && isScimToken(token);
  const hash = isToken ? hashSecret(token) : undefined;
  const credential = hash?.toString("hex") ?? "";
  const isKnown = hash !== undefined && recentCredentials.has(credential);
  const refusal = isKnown ? undefined : exchange.refuseStranger();
  if (refusal !== undefined) throw refusal;
  const found = hash && (await findScimCaller(db, { tokenHash: hash, now: clock() }, caller));
  if (found === undefined) {
    if (hash !== undefined) recentCredentials.delete(credential);
    exchange.countFailure(isKnown);
    const message = "the request needs the token of a SCIM connection: `Authorization: Bearer signet_scim_…`";
    throw new SignetError(token === undefined ? "TOKEN_MISSING" : "TOKEN_INVALID", message);
  }
  recentCredentials.add(credential);
  exchange.trust();
  return found;
}

/** The connection is the editor of events, and no user. */
function toCall(connection: ScimCaller, caller: Pick<ScimCall, "signal" | "throwIfOver">): ScimCall {
  const { id, orgId, instanceId } = connection;
  return {
    kind: "principal",
    userId: id,
    instanceId,
    orgId,
    userOrgId: orgId,
    instanceRoles: [],
    orgRoles: SCIM_ROLES,
    roleScopes: [orgId],
    authority: { kind: "known" },
    ...caller,
    connection,
  };
}

function throwIfNotJson({ headers }: Exchange, body: Buffer): void {
  const [type = ""] = (headers["content-type"] ?? "").split(";");
  if (body.length === 0 || type === "" || /^application\/(?:scim\+)?json$/i.test(type.trim())) return;
  throw new SignetError("CONTENT_TYPE_UNSUPPORTED", "the content type must be application/scim+json");
}

function segmentsOf(path: string): readonly string[] {
  const segments = path.slice(PREFIX.length).replace(/\/$/, "").split("/");
  return segments.map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}

function untilAborted(signal: AbortSignal): Promise<never> {
  return new Promise((_resolve, reject) => {
    signal.addEventListener("abort", () => reject(deadlineExceeded()), { once: true });
  });
}

function leave(open: Map<string, number>, id: string): void {
  const left = (open.get(id) ?? 1) - 1;
  if (left > 0) open.set(id, left);
  else open.delete(id);
}

function toFailure({ log }: CreateScimParts, { id: requestId }: Exchange, thrown: unknown): ScimResponse {
  if (thrown instanceof ScimError) return toErrorResponse(thrown);
  const error =
    thrown instanceof SignetError ? thrown : new SignetError("INTERNAL", "internal error", { cause: thrown });
  if (error.cause !== undefined && FAULTS.has(error.code)) {
    logFailure(log, "error", { requestId, err: error.cause }, error.message);
  }
  return toErrorResponse(error);
}

/** Codes of failures that the caller did not cause. */
const FAULTS: ReadonlySet<string> = new Set(["internal", "unavailable", "aborted"]);

function toHeaders({ id }: Exchange, { headers = [], body }: ScimResponse): readonly string[] {
  const type = body === undefined ? [] : ["content-type", "application/scim+json; charset=utf-8"];
  return ["x-request-id", id, "cache-control", "no-store", ...type, ...headers];
}

function toBody({ body }: ScimResponse): Buffer | undefined {
  return body && Buffer.from(JSON.stringify(body));
}
