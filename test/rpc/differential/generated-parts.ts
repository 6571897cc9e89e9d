import { type DescMethodUnary, fromJson, type JsonObject, toBinary } from "@bufbuild/protobuf";
import { AdminService } from "../../../gen/signet/v1/admin_pb.js";
import { ManagementService } from "../../../gen/signet/v1/management_pb.js";
import { REASONS } from "../../../src/errors.ts";
import { restRequestOf, toName } from "../../support/clients/callers.ts";
import { frame } from "../../support/clients/raw-calls.ts";
import type { Random } from "../../support/random.ts";
import { MAX_BODY_BYTES, TOKEN } from "./both-servers.ts";
import { fillMessage } from "./filled-message.ts";
import type { GeneratedCall } from "./generated-calls.ts";
import type { Reset, WireRequest } from "./wire-requests.ts";

/** A call without its kind. */
export type Generated = Omit<GeneratedCall, "kind">;

export const ECHO = ManagementService.method.importHumanUser;
export const FAIL = ManagementService.method.addOrgOIDCIDP;
export const WAIT = ManagementService.method.updateHumanPhone;
export const FORBIDDEN = AdminService.method.addOIDCIDP;

export const FORMS = [
  ["grpc", "http2"],
  ["grpc-web", "http1"],
  ["grpc-web", "http2"],
] as const;
type Form = (typeof FORMS)[number];

export function messageOf(method: DescMethodUnary, json: JsonObject): Buffer {
  return Buffer.from(toBinary(method.input, fromJson(method.input, json)));
}

export interface Change {
  readonly form?: Form;
  readonly method?: string;
  readonly path?: string;
  /** Undefined: omitted. */
  readonly headers?: Readonly<Record<string, string | string[] | undefined>>;
  readonly parts?: readonly Buffer[];
  readonly ending?: "headers" | Reset;
  readonly resetId?: string;
}

/** A gRPC or gRPC-Web call with the given frames. */
export function framed(random: Random, rpc: DescMethodUnary, body: Buffer, change: Change = {}): Generated {
  const [form, over] = change.form ?? random.pick(FORMS);
  const all = {
    "content-type": `application/${form}${random.pick(["", "+proto"])}`,
    ...(form === "grpc" && { te: "trailers" }),
    authorization: TOKEN,
    ...change.headers,
  };
  const { method = "POST", path = pathOf(rpc), parts = [body], ending } = change;
  return {
    output: rpc.output,
    request: { over, method, path, headers: defined(all), parts, ...(ending && { ending }) },
    ...(change.resetId !== undefined && { resetId: change.resetId }),
  };
}

export function pathOf({ parent, name }: DescMethodUnary): string {
  return `/${parent.typeName}/${name}`;
}

function defined(headers: NonNullable<Change["headers"]>): Record<string, string | string[]> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}

/** An import with arbitrary content. */
export function person(random: Random): JsonObject {
  return {
    userName: random.text(20),
    profile: { firstName: random.text(20), lastName: random.text(5), gender: random.below(5) },
    ...(random.chance(0.5) && { email: { email: random.text(10), isEmailVerified: random.chance(0.5) } }),
    ...(random.chance(0.3) && { password: random.text(10) }),
    ...(random.chance(0.3) && { phone: random.chance(0.5) ? {} : { phone: random.text(10) } }),
    idps: Array.from({ length: random.below(3) }, () => ({ configId: random.text(5), displayName: random.text(5) })),
  };
}

/** A request whose operation fails with one of the reasons, or with an error of another kind. */
export function failure(random: Random): JsonObject {
  return {
    name: random.chance(0.1) ? "throw" : random.pick(Object.keys(REASONS)),
    clientId: random.text(40),
    scopes: Array.from({ length: random.pick([0, 0, 1, 3]) }, () => random.text(10)),
    issuer: random.text(20),
  };
}

export const echo = (random: Random, change?: Change) =>
  framed(random, ECHO, frame(messageOf(ECHO, person(random))), change);

/** A short message, so that its frame can be cut at every byte. */
export const SHORT = frame(messageOf(ECHO, { userName: "ada", profile: { firstName: "Ada" }, otpCode: "1" }));

/** A frame with a message of this many bytes. */
export function sized(size: number): Buffer {
  const head = messageOf(ECHO, { userName: "ada" });
  // An unknown field (number 100) fills the message.
  let rest = size - head.length - 2;
  const lengthBytes: number[] = [];
  for (let bytes = 1; bytes <= 4 && lengthBytes.length === 0; bytes += 1) {
    const left = rest - bytes;
    if (left < 2 ** (7 * bytes)) {
      for (let number = 0; number < bytes; number += 1) {
        lengthBytes.push(((left >> (7 * number)) & 0x7f) | (number < bytes - 1 ? 0x80 : 0));
      }
      rest = left;
    }
  }
  return frame(Buffer.concat([head, Buffer.of(0xc2, 0x3e), Buffer.from(lengthBytes), Buffer.alloc(rest)]));
}

const REST_PATHS = new Map<DescMethodUnary, string>([
  [ECHO, "/management/v1/users/human/_import"],
  [FAIL, "/management/v1/idps/oidc"],
  [FORBIDDEN, "/admin/v1/idps/oidc"],
]);

/** The same JSON for REST and for Connect. */
export function rest(random: Random, rpc: DescMethodUnary, given?: Buffer, token: string | null = TOKEN): Generated {
  const json = rpc === ECHO ? person(random) : failure(random);
  const body = given ?? Buffer.from(JSON.stringify(rpc === FORBIDDEN ? {} : json));
  // Over HTTP/1.1, Connect's adapter may disconnect before a body that it rejects is sent.
  const isRefused = token !== TOKEN || rpc === FORBIDDEN || body.length > MAX_BODY_BYTES;
  const request: WireRequest = {
    over: random.pick(["http1", "http2"]),
    method: "POST",
    path: REST_PATHS.get(rpc),
    headers: defined({
      "content-type": random.pick(["application/json", "application/json; charset=utf-8"]),
      authorization: token ?? undefined,
    }),
    parts: random.cut(body, isRefused ? 1 : random.pick([1, 1, 3])),
  };
  return { output: rpc.output, request, connectRequest: { ...request, path: pathOf(rpc) } };
}

export const WIRES = [...FORMS, "connect", "rest"] as const;

/** A request with all fields of an RPC. The organization in its header is the id under which it is recorded. */
export function complete(random: Random, rpc: DescMethodUnary, wire: (typeof WIRES)[number], id: string): Generated {
  const json = fillMessage(rpc.input, random);
  const headers = { "x-service-orgid": id };
  if (typeof wire === "object") {
    return { ...framed(random, rpc, frame(messageOf(rpc, json)), { form: wire, headers }), recordedId: id };
  }
  const connect: WireRequest = {
    over: random.pick(["http1", "http2"]),
    method: "POST",
    path: pathOf(rpc),
    headers: { ...headers, "content-type": "application/json", authorization: TOKEN },
    parts: [Buffer.from(JSON.stringify(json))],
  };
  const call = { output: rpc.output, connectRequest: connect, recordedId: id };
  if (wire === "connect") return { ...call, request: connect };
  const { method, path, body } = restRequestOf(toName(rpc), json);
  const { "content-type": type, ...others } = connect.headers;
  return {
    ...call,
    request: {
      ...connect,
      method,
      path,
      headers: body === undefined ? others : { ...others, "content-type": type ?? "" },
      parts: body === undefined ? [] : [Buffer.from(JSON.stringify(body))],
    },
  };
}
