import {
  type DescMethod,
  type DescMethodUnary,
  fromBinary,
  fromJson,
  getOption,
  type JsonObject,
  type JsonValue,
  toJson,
} from "@bufbuild/protobuf";
import { anyUnpack } from "@bufbuild/protobuf/wkt";
import { Code, ConnectError, createClient, type Transport } from "@connectrpc/connect";
import { createConnectTransport } from "@connectrpc/connect-node";
import { createGrpcWebTransport } from "@connectrpc/connect-web";
import * as grpc from "@grpc/grpc-js";
import { loadSync } from "@grpc/proto-loader";
import { http } from "../../../gen/google/api/annotations_pb.js";
import { BadRequestSchema, ErrorInfoSchema } from "../../../gen/google/rpc/error_details_pb.js";
import { type Status, StatusSchema } from "../../../gen/google/rpc/status_pb.js";
import { AdminService } from "../../../gen/signet/v1/admin_pb.js";
import { AuthService } from "../../../gen/signet/v1/auth_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";

/** The protocols. gRPC uses a third-party client that loads the .proto files at run time. */
export const PROTOCOLS = ["grpc", "grpc-web", "rest", "connect"] as const;
export type TestProtocol = (typeof PROTOCOLS)[number];

/** The names of the RPCs that have one response. */
type UnaryName<Methods> = Capitalize<
  string & { [Name in keyof Methods]: Methods[Name] extends { methodKind: "unary" } ? Name : never }[keyof Methods]
>;
type AdminName = UnaryName<typeof AdminService.method>;
type AuthName = UnaryName<typeof AuthService.method>;
type ManagementName = UnaryName<typeof ManagementService.method>;

/**
 * The name of an RPC. Generated code starts it with a lowercase letter. If both services have an RPC with the name, that
 * of the AdminService has a prefix.
 */
export type Rpc =
  | ManagementName
  | AuthName
  | Exclude<AdminName, ManagementName>
  | `AdminService.${Extract<AdminName, ManagementName>}`;

/** RPCs that only read. */
export type ReadRpc = Extract<
  Rpc,
  `${"" | "AdminService."}${"Get" | "List" | "Count" | "Is" | "Check" | "BulkCheck"}${string}`
>;
export type WriteRpc = Exclude<Rpc, ReadRpc>;

const METHODS = new Map(
  [...AdminService.methods, ...ManagementService.methods, ...AuthService.methods].flatMap((method) =>
    method.methodKind === "unary" ? [[toName(method), method] as [Rpc, DescMethodUnary]] : [],
  ),
);
const RPCS = [...METHODS.keys()];
const isRead = (rpc: Rpc): rpc is ReadRpc => /^(AdminService\.)?(Get|List|Count|Is|Check|BulkCheck)[A-Z]/.test(rpc);
export const READ_RPCS = RPCS.filter(isRead);
export const WRITE_RPCS = RPCS.filter((rpc): rpc is WriteRpc => !isRead(rpc));

/** The outcome of a call, in the same shape for all protocols. */
export type Outcome =
  | { readonly ok: true; readonly message: JsonObject; readonly headers: Readonly<Record<string, string>> }
  | {
      readonly ok: false;
      /** Number of google.rpc.Code. */
      readonly code: number;
      readonly reason: string | undefined;
      /** The names of the violated fields, sorted. */
      readonly fields: readonly string[];
      /** The metadata of google.rpc.ErrorInfo, if there is any. */
      readonly metadata?: Readonly<Record<string, string>>;
      readonly message: string;
      /** The HTTP status, for REST. */
      readonly http: number | undefined;
    };

export interface Caller {
  /** Calls with a request in proto JSON. */
  call(rpc: Rpc, request: JsonObject, headers?: Readonly<Record<string, string>>): Promise<Outcome>;
  close(): void;
}

/**
 * The REST request of a call, using the route in the contract. Without a body, the remaining fields are in the query.
 */
export function restRequestOf(rpc: Rpc, request: JsonObject): { method: string; path: string; body?: JsonObject } {
  const { pattern, body } = getOption(methodOf(rpc), http);
  const rest = { ...request };
  const path = String(pattern.value).replace(/\{(\w+)\}/g, (_, field: string) => {
    const name = field.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase());
    const value = encodeURIComponent(String(rest[name]));
    delete rest[name];
    return value;
  });
  const method = String(pattern.case).toUpperCase();
  if (body === "*") return { method, path, body: rest };
  const query = new URLSearchParams(
    Object.entries(rest).flatMap(([name, value]) =>
      [value].flat().map((item): [string, string] => [name, String(item)]),
    ),
  );
  return { method, path: query.size > 0 ? `${path}?${query}` : path };
}

/**
 * @param service Records the responses, which are searched for secrets when it is closed.
 * @param token Sent with every call that has no authorization header; undefined for none.
 */
export function createCaller(
  protocol: TestProtocol,
  service: { origin: string; responses: string[]; ca?: Buffer },
  token: string | undefined,
): Caller {
  const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
  const caller = createBareCaller(protocol, service.origin, service.ca);
  return {
    async call(rpc, request, headers = {}) {
      const outcome = await caller.call(rpc, request, { ...authorization, ...headers });
      service.responses.push(JSON.stringify(outcome));
      return outcome;
    },
    close: caller.close,
  };
}

function createBareCaller(protocol: TestProtocol, origin: string, ca: Buffer | undefined): Caller {
  switch (protocol) {
    case "grpc":
      return createGrpcCaller(origin, ca);
    case "grpc-web":
      return createTransportCaller(createGrpcWebTransport({ baseUrl: origin }));
    case "connect":
      return createTransportCaller(
        createConnectTransport({ baseUrl: origin, httpVersion: "1.1", useBinaryFormat: false }),
      );
    case "rest":
      return createRestCaller(origin);
  }
}

let definition: ReturnType<typeof loadSync> | undefined;

/** @param ca Certificate to trust, for an https origin. */
function createGrpcCaller(origin: string, ca?: Buffer): Caller {
  definition ??= loadSync(["signet/v1/admin.proto", "signet/v1/auth.proto", "signet/v1/management.proto"], {
    includeDirs: ["proto"],
    longs: String,
    enums: String,
  });
  const services = definition;
  const { host: address, protocol } = new URL(origin);
  const credentials = protocol === "https:" ? grpc.credentials.createSsl(ca) : grpc.credentials.createInsecure();
  const clients = Object.fromEntries(
    ["AdminService", "AuthService", "ManagementService"].map((name) => {
      const Client = grpc.makeGenericClientConstructor(services[`signet.v1.${name}`] as grpc.ServiceDefinition, name);
      return [name, new Client(address, credentials)];
    }),
  );
  return {
    call(rpc, request, headers = {}) {
      const client = clients[methodOf(rpc).parent.name] as grpc.Client;
      const metadata = new grpc.Metadata();
      for (const [name, value] of Object.entries(headers)) metadata.set(name, value);
      const { promise, resolve } = Promise.withResolvers<Outcome>();
      let received: Record<string, string> = {};
      const done = (error: grpc.ServiceError | null, message: unknown) =>
        resolve(error === null ? { ok: true, message: toJsonForm(message), headers: received } : fromGrpcError(error));
      // biome-ignore lint/suspicious/noExplicitAny: the client gets its methods from the .proto at run time
      const call: grpc.ClientUnaryCall = (client as any)[methodOf(rpc).name](withMessages(request), metadata, done);
      call.on("metadata", (answer: grpc.Metadata) => {
        received = Object.fromEntries(Object.entries(answer.getMap()).map(([name, value]) => [name, String(value)]));
      });
      return promise;
    },
    close() {
      for (const client of Object.values(clients)) client.close();
    },
  };
}

/** Converts timestamps and field masks in their JSON form to those of proto-loader. */
function withMessages(request: JsonObject): JsonObject {
  return JSON.parse(JSON.stringify(request), (key, part) => {
    if (typeof part !== "string") return part;
    if (/(Date|^since|^until|^from)$/.test(key)) return toSeconds(Date.parse(part));
    return key === "updateMask" ? toPaths(part) : part;
  });
}

function toPaths(mask: string): JsonObject {
  const names = mask === "" ? [] : mask.split(",");
  return { paths: names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) };
}

function toSeconds(ms: number): JsonObject {
  return { seconds: Math.floor(ms / 1_000), nanos: (ms % 1_000) * 1_000_000 };
}

/** Converts bytes, timestamps and durations of proto-loader (seconds and nanos) to their JSON form. */
function toJsonForm(value: unknown): JsonObject {
  return JSON.parse(JSON.stringify(value), (_key, part) => {
    if (part?.type === "Buffer") return Buffer.from(part).toString("base64");
    if (part === null || typeof part !== "object" || !("seconds" in part)) return part;
    const ms = Number(part.seconds) * 1_000 + (part.nanos ?? 0) / 1e6;
    return Number(part.seconds) > 1e6 ? toTimestampJson(new Date(ms)) : `${part.seconds}s`;
  });
}

/** A timestamp in ProtoJSON has no digits for a whole second. */
export function toTimestampJson(date: Date): string {
  return date.toISOString().replace(".000Z", "Z");
}

function fromGrpcError(error: grpc.ServiceError): Outcome {
  const [bytes] = error.metadata.get("grpc-status-details-bin");
  const status = Buffer.isBuffer(bytes) ? fromBinary(StatusSchema, bytes) : undefined;
  return { ok: false, code: error.code, message: error.details, http: undefined, ...readDetails(status) };
}

function readDetails(status: Status | undefined) {
  const details = status?.details ?? [];
  const info = details.map((any) => anyUnpack(any, ErrorInfoSchema)).find((found) => found !== undefined);
  const bad = details.map((any) => anyUnpack(any, BadRequestSchema)).find((found) => found !== undefined);
  return {
    reason: info?.reason,
    fields: bad?.fieldViolations.map(({ field }) => field).sort() ?? [],
    ...metadataOf(info),
  };
}

function metadataOf(info: { metadata?: Record<string, string> } | undefined) {
  const { metadata = {} } = info ?? {};
  return Object.keys(metadata).length > 0 ? { metadata } : {};
}

function createTransportCaller(transport: Transport): Caller {
  const clients = new Map(
    [AdminService, AuthService, ManagementService].map((service) => [
      service.typeName as string,
      createClient(service as typeof ManagementService, transport),
    ]),
  );
  return {
    async call(rpc, request, headers = {}) {
      const method = methodOf(rpc);
      const local = method.localName as "importHumanUser";
      const client = clients.get(method.parent.typeName);
      if (client === undefined) throw new Error(`no client for ${rpc}`);
      let received: Record<string, string> = {};
      try {
        const message = await client[local](fromJson(method.input, request) as never, {
          headers,
          onHeader(answer) {
            received = Object.fromEntries(answer);
          },
        });
        return { ok: true, message: toJson(method.output, message as never) as JsonObject, headers: received };
      } catch (error) {
        if (!(error instanceof ConnectError) || error.code === Code.Unknown) throw error;
        const [info] = error.findDetails(ErrorInfoSchema);
        const [bad] = error.findDetails(BadRequestSchema);
        const fields = bad?.fieldViolations.map(({ field }) => field).sort() ?? [];
        return {
          ok: false,
          code: error.code,
          reason: info?.reason,
          fields,
          ...metadataOf(info),
          message: error.rawMessage,
          http: undefined,
        };
      }
    },
    close() {},
  };
}

export function toName({ name, parent }: DescMethod): Rpc {
  const isShared = parent === AdminService && ManagementService.methods.some((other) => other.name === name);
  return (isShared ? `AdminService.${name}` : name) as Rpc;
}

/** Whether the RPC is one of the AdminService. */
export function isAdmin(rpc: Rpc): boolean {
  return methodOf(rpc).parent === AdminService;
}

export function methodOf(rpc: Rpc): DescMethodUnary {
  const method = METHODS.get(rpc);
  if (method?.methodKind !== "unary") throw new Error(`no unary method ${rpc}`);
  return method;
}

function createRestCaller(origin: string): Caller {
  return {
    async call(rpc, request, headers = {}) {
      const { method, path, body } = restRequestOf(rpc, request);
      const response = await fetch(origin + path, {
        method,
        headers: { ...(body && { "content-type": "application/json" }), ...headers },
        ...(body && { body: JSON.stringify(body) }),
      });
      return readRestResponse(response);
    },
    close() {},
  };
}

/** The outcome in a REST response. */
export async function readRestResponse(response: Response): Promise<Outcome> {
  const json = (await response.json()) as Record<string, JsonValue>;
  if (response.status === 200) {
    return { ok: true, message: json as JsonObject, headers: Object.fromEntries(response.headers) };
  }
  const details = json.details as {
    "@type": string;
    reason?: string;
    metadata?: Record<string, string>;
    fieldViolations?: { field?: string }[];
  }[];
  const info = details.find((detail) => detail["@type"].endsWith("ErrorInfo"));
  return {
    ok: false,
    code: json.code as number,
    message: json.message as string,
    http: response.status,
    reason: info?.reason,
    ...metadataOf(info),
    fields: (details.find((detail) => detail["@type"].endsWith("BadRequest"))?.fieldViolations ?? [])
      .map(({ field }) => field ?? "")
      .sort(),
  };
}
