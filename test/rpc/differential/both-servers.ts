import { createServer as createHttp1Server, type IncomingMessage, type ServerResponse } from "node:http";
import { createServer as createHttp2Server } from "node:http2";
import type { AddressInfo } from "node:net";
import {
  create,
  type DescMethod,
  type DescMethodUnary,
  fromJson,
  getOption,
  type JsonValue,
  type MessageShape,
  toJson,
  toJsonString,
} from "@bufbuild/protobuf";
import { timestampFromMs } from "@bufbuild/protobuf/wkt";
import { createContextKey } from "@connectrpc/connect";
import { connectNodeAdapter } from "@connectrpc/connect-node";
import { pino } from "pino";
import { AddOIDCIDPResponseSchema, AdminService } from "../../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../../gen/signet/v1/auth_pb.js";
import {
  type AddOrgOIDCIDPRequest,
  AddOrgOIDCIDPResponseSchema,
  ImportHumanUserRequestSchema,
  ImportHumanUserResponseSchema,
  ManagementService,
  UpdateHumanPhoneResponseSchema,
} from "../../../gen/signet/v1/management_pb.js";
import { deprecated_since } from "../../../gen/signet/v1/options_pb.js";
import type { Authorize } from "../../../src/access/authorize.ts";
import type { Principal } from "../../../src/actor.ts";
import type { Call } from "../../../src/call.ts";
import { invalidArgument, REASONS, type Reason, SignetError } from "../../../src/errors.ts";
import { createPort } from "../../../src/http/port.ts";
import { createRouter } from "../../../src/http/router.ts";
import type { Requirement } from "../../../src/roles.ts";
import { toConnectError } from "../../../src/rpc/connect/handlers.ts";
import { createRpcHandler } from "../../../src/rpc/create-rpc-handler.ts";
import type { Rpc } from "../../../src/rpc/implement.ts";
import { createRandom } from "../../support/random.ts";
import { fillMessage } from "./filled-message.ts";

export const MAX_BODY_BYTES = 4_096;
export const TOKEN = "Bearer right";

/** The ports of a server. */
export interface Ports {
  readonly http1: number;
  readonly http2: number;
}

/** A value for each of the two servers. */
export interface Both<T> {
  readonly ours: T;
  readonly stock: T;
}

/** The service's listener, and Connect's own adapter on Node's own servers, with the same operations behind both. */
interface TestServer {
  readonly ports: Ports;
  /** The `otpCode` of each import whose operation has started. */
  readonly begun: ReadonlySet<string>;
  /** The requests of the other RPCs, by organization. */
  readonly recorded: ReadonlyMap<string, JsonValue>;
  close(): Promise<unknown>;
}

export async function startBothServers(): Promise<Both<TestServer>> {
  return { ours: await startOurs(), stock: await startStock() };
}

const NOBODY: Principal = {
  kind: "principal",
  userId: "",
  instanceId: "",
  orgId: "",
  instanceRoles: [],
  orgRoles: [],
  userOrgId: "",
  roleScopes: null,
};

/** Authorizes a single token; the organization is the unchanged value of the header. */
const authorize: Authorize = async ({ authorization, orgId }, permission) => {
  if (!authorization) throw new SignetError("TOKEN_MISSING", "the request has no authorization header");
  if (!/^bearer +right *$/i.test(authorization)) throw new SignetError("TOKEN_INVALID", "the token is unknown");
  if (permission === "iam.idp.write") throw new SignetError("PERMISSION_DENIED", `the caller lacks ${permission}`);
  if (orgId?.includes(",")) throw invalidArgument({ field: "x-service-orgid", description: "must appear only once" });
  const authority = { kind: "known" } as const;
  return { ...NOBODY, userId: "user", instanceId: "instance", orgId: orgId ?? "own", authority };
};

async function startOurs(): Promise<TestServer> {
  const { rpcs, ...state } = createRpcs();
  const context = { authorize, maxBodyBytes: MAX_BODY_BYTES, requestTimeoutMs: 10_000, log: pino({ level: "silent" }) };
  const rate = { burst: 1e9, perSecond: 1e9 };
  const port = createPort({
    handler: createRouter([], createRpcHandler({ ...context, rpcs, corsOrigins: [] })),
    // All calls have the same address.
    budgets: { newConnections: rate, requests: rate, failures: rate, loopDelayMs: 1e9 },
  });
  const { port: number } = await port.listen(0, "127.0.0.1");
  return { ports: { http1: number, http2: number }, ...state, close: () => port.drain(0) };
}

async function startStock(): Promise<TestServer> {
  const { rpcs, ...state } = createRpcs();
  const byMethod = new Map(rpcs.map((rpc) => [rpc.desc.toString(), rpc]));
  const principalKey = createContextKey<Principal>(NOBODY);
  const handler = connectNodeAdapter({
    jsonOptions: { ignoreUnknownFields: false },
    readMaxBytes: MAX_BODY_BYTES,
    async requestGate({ method, values, requestHeader, responseHeader }) {
      const rpc = byMethod.get(method.toString());
      if (rpc === undefined) throw new Error(`${method} is not a method of the servers`);
      const since = getOption(rpc.desc, deprecated_since);
      if (since > 0n) responseHeader.set("deprecation", `@${since}`);
      const credentials = {
        authorization: requestHeader.get("authorization") ?? undefined,
        orgId: requestHeader.get("x-service-orgid") ?? undefined,
        client: { refuseStranger: () => undefined, countFailure() {}, trust() {} },
      };
      values.set(principalKey, await authorize(credentials, rpc.permission).catch(rethrow));
    },
    routes(router) {
      for (const { desc, run } of rpcs) {
        router.rpc(desc, (request, { values, signal }) =>
          run(request, { ...values.get(principalKey), signal, throwIfOver: () => signal.throwIfAborted() }).catch(
            rethrow,
          ),
        );
      }
    },
  });
  const listener = (request: IncomingMessage, response: ServerResponse) => {
    try {
      handler(request, response);
    } catch {
      // The adapter throws if the host of a request cannot be in a URL.
      response.writeHead(500).end();
    }
  };
  const servers = {
    http1: createHttp1Server(listener),
    // By default Node drops headers with white space around their values; the service's port does not.
    http2: createHttp2Server({ strictFieldWhitespaceValidation: false }, listener as never),
  };
  for (const server of Object.values(servers)) {
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  }
  const portOf = (server: { address(): unknown }) => (server.address() as AddressInfo).port;
  return {
    ports: { http1: portOf(servers.http1), http2: portOf(servers.http2) },
    ...state,
    close: () => Promise.all(Object.values(servers).map((server) => new Promise((closed) => server.close(closed)))),
  };
}

function rethrow(error: unknown): never {
  throw error instanceof SignetError ? toConnectError(error) : error;
}

/** All RPCs with one response but the four whose operations do what the request says. */
export const OTHERS: readonly DescMethodUnary[] = [AdminService, AuthService, ManagementService]
  .flatMap(({ methods }): readonly DescMethod[] => methods)
  .filter((method): method is DescMethodUnary => method.methodKind === "unary")
  .filter(({ name }) => !["AddOIDCIDP", "AddOrgOIDCIDP", "ImportHumanUser", "UpdateHumanPhone"].includes(name));

/** RPCs without schema rules; the request determines what each one does. */
function createRpcs() {
  const begun = new Set<string>();
  const recorded = new Map<string, JsonValue>();
  const rpcs: Rpc[] = [
    toRpc(AdminService.method.addOIDCIDP, "iam.idp.write", async () => create(AddOIDCIDPResponseSchema, {})),
    toRpc(ManagementService.method.addOrgOIDCIDP, "org.idp.write", failAsNamed),
    /** Returns the parsed request. */
    toRpc(ManagementService.method.importHumanUser, "user.write", async (request, call) => {
      begun.add(request.otpCode);
      call.throwIfOver();
      return create(ImportHumanUserResponseSchema, {
        userId: toJsonString(ImportHumanUserRequestSchema, request),
        details: { sequence: 0xffff_ffff_ffff_ffffn, creationDate: timestampFromMs(1), resourceOwner: call.orgId },
        passwordlessRegistration: { expiration: { seconds: 1n, nanos: 5 } },
      });
    }),
    /** Waits for `phone` milliseconds, or until the call is over. */
    toRpc(ManagementService.method.updateHumanPhone, "user.write", async ({ phone }, call) => {
      const until = phone === "" ? Number.POSITIVE_INFINITY : performance.now() + Number(phone);
      while (performance.now() < until) await aWhile(call);
      call.throwIfOver();
      return create(UpdateHumanPhoneResponseSchema, { details: { resourceOwner: phone } });
    }),
    /** They record the request, and return a message with a value in every field. */
    ...OTHERS.map((desc) =>
      toRpc(desc, "user.write", async (request, { orgId }) => {
        recorded.set(orgId, toJson(desc.input, request));
        return fromJson(desc.output, fillMessage(desc.output, createRandom(1)));
      }),
    ),
  ];
  return { rpcs, begun, recorded };
}

function toRpc<D extends DescMethodUnary>(
  desc: D,
  permission: Requirement,
  run: (request: MessageShape<D["input"]>, call: Call) => Promise<MessageShape<D["output"]>>,
): Rpc {
  const since = getOption(desc, deprecated_since);
  return {
    desc,
    name: `${desc.parent.typeName}/${desc.name}`,
    permission,
    confirmsCaller: false,
    headers: since > 0n ? ["deprecation", `@${since}`] : [],
    run: (request, call) => run(request as MessageShape<D["input"]>, call),
  };
}

/** Fails with the reason `name`; `throw` throws an unexpected error. */
async function failAsNamed({ name, clientId, scopes, issuer }: AddOrgOIDCIDPRequest) {
  if (name === "throw") throw new Error(clientId);
  if (!Object.hasOwn(REASONS, name)) return create(AddOrgOIDCIDPResponseSchema, { idpId: name });
  const violations = scopes.map((field) => ({ field, description: issuer }));
  throw new SignetError(name as Reason, clientId, { violations });
}

async function aWhile(call: Call): Promise<void> {
  call.throwIfOver();
  await new Promise((resolve) => setTimeout(resolve, 2));
}
