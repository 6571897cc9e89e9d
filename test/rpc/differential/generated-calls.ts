import { brotliCompressSync, gzipSync } from "node:zlib";
import type { DescMessage } from "@bufbuild/protobuf";
import { frame } from "../../support/clients/raw-calls.ts";
import type { Random } from "../../support/random.ts";
import { MAX_BODY_BYTES, OTHERS, TOKEN } from "./both-servers.ts";
import {
  type Change,
  complete,
  ECHO,
  echo,
  FAIL,
  FORBIDDEN,
  FORMS,
  failure,
  framed,
  type Generated,
  messageOf,
  pathOf,
  person,
  rest,
  SHORT,
  sized,
  WAIT,
  WIRES,
} from "./generated-parts.ts";
import type { WireRequest } from "./wire-requests.ts";

/** A request for both servers. */
export interface GeneratedCall {
  readonly kind: Kind;
  readonly output: DescMessage;
  readonly request: WireRequest;
  /** The Connect call that is equivalent to a REST call. */
  readonly connectRequest?: WireRequest;
  /** The id of a call that the caller ends. */
  readonly resetId?: string;
  /** The id of a call whose request the servers record. */
  readonly recordedId?: string;
}

/** @param number Counts the calls of a kind from 0. */
type Generate = (random: Random, number: number) => Generated;

const GOOD_TIMEOUTS = ["30S", "99999999u", "1H", "596H", "00000020S", "30000m", "2147483647m", "2147483S", "35791M"];
const SHORT_TIMEOUTS = ["1n", "99999999n", "1u", "99999u", "1m", "25m", "00000003m"];
const ZERO_TIMEOUTS = ["0H", "0M", "0S", "0m", "0u", "0n", "00000000S"];
/** A deadline that exceeds the maximum of Node's timers (2^31 - 1 milliseconds). */
const ENDLESS_TIMEOUTS = ["597H", "99999999H", "35792M", "99999999M", "2147484S", "99999999S"];
const BAD_TIMEOUTS = [
  "",
  "1",
  "S",
  "1s",
  "-1S",
  "+1S",
  "1.5S",
  "123456789S",
  "1 S",
  "1S1S",
  "0x1S",
  "soon",
  "\xb2S",
  "1S,1S",
];

const CONTENT_TYPES = [
  "application/grpc",
  "application/grpc+proto",
  "application/grpc+json",
  "application/grpc+thrift",
  "application/grpc;charset=utf-8",
  "application/grpc+proto; charset=utf-8",
  "application/grpc+json;charset=utf-8",
  "APPLICATION/GRPC",
  "Application/Grpc+Proto",
  " application/grpc",
  "application/grpc ",
  "application/grpcfoo",
  "application/grpc-web",
  "application/grpc-web+proto",
  "application/grpc-web+json",
  "Application/gRPC-Web",
  "application/grpc-web;a=b",
  "application/connect+proto",
  "application/json",
  "application/proto",
  "application/x-www-form-urlencoded",
  "text/plain",
  "*/*",
  "application",
  "",
  "\xe9",
  // Property names of every JavaScript object.
  "constructor",
  "toString",
  "__proto__",
];

const ENCODINGS = [
  undefined,
  "identity",
  "gzip",
  "br",
  "deflate",
  "snappy",
  "Identity",
  "GZIP",
  "",
  "gzip, br",
  "toString",
];
const ACCEPTED = [
  undefined,
  undefined,
  "",
  "identity",
  "gzip",
  "br",
  "deflate",
  "br,gzip",
  "identity,deflate,gzip",
  "*",
];

const BINARY_VALUES = ["AQID", "AQI=", "AQI", "A", "====", "!!", "AQID,BAUG", ""];
const TOKENS = [
  undefined,
  "",
  "Bearer",
  "Bearer ",
  "Bearer wrong",
  "Basic right",
  "right",
  "Bearer right right",
  "bearer right",
  "BEARER   right  ",
  " Bearer right",
  "\tBearer right\t",
  "Bearer\tright",
];
const ORG_IDS = [undefined, "", "org", " org", "org ", "\torg \t", "a b", "ORG", "\xe9\xff", ["a", "b"], "a,b"];

/** The kinds of requests, each with its number of calls. */
export const KINDS = {
  "any message": [300, (random) => echo(random, { headers: harmless(random) })],
  "a message in parts": [
    200,
    (random) => {
      const { request, ...call } = echo(random);
      return {
        ...call,
        request: { ...request, parts: random.cut(request.parts[0] ?? Buffer.alloc(0), random.between(2, 9)) },
      };
    },
  ],
  "an operation that fails": [400, (random) => framed(random, FAIL, frame(messageOf(FAIL, failure(random))))],
  "an RPC that is forbidden": [20, (random) => framed(random, FORBIDDEN, random.pick([SHORT, Buffer.alloc(0)]))],
  "a frame that is cut": [
    (SHORT.length - 1) * FORMS.length,
    (random, number) =>
      framed(random, ECHO, SHORT.subarray(0, 1 + (number % (SHORT.length - 1))), {
        form: FORMS[Math.floor(number / (SHORT.length - 1)) % FORMS.length] ?? FORMS[0],
      }),
  ],
  "flags of a frame": [255, (random, number) => framed(random, ECHO, frame(SHORT.subarray(5), 1 + number))],
  "a length that is wrong": [
    200,
    (random) => {
      const right = SHORT.length - 5;
      const length = random.pick([
        random.below(right),
        right + random.between(1, 200),
        MAX_BODY_BYTES,
        MAX_BODY_BYTES + 1,
        random.between(MAX_BODY_BYTES + 1, 0xffff_ffff),
        0xffff_ffff,
      ]);
      return framed(random, ECHO, frame(SHORT.subarray(5), 0, length));
    },
  ],
  "several messages": [
    150,
    (random) => {
      const frames = Array.from({ length: random.between(2, 4) }, () => random.pick([SHORT, frame(Buffer.alloc(0))]));
      const tail = random.chance(0.2) ? [Buffer.alloc(random.between(1, 4))] : [];
      return framed(random, ECHO, Buffer.concat([...frames, ...tail]));
    },
  ],
  "several messages that are too large together": [
    10,
    (random) => framed(random, ECHO, Buffer.concat([sized(3_000), sized(3_000)])),
  ],
  "no message": [
    60,
    (random) => framed(random, ECHO, Buffer.alloc(0), random.chance(0.5) ? { ending: "headers", parts: [] } : {}),
  ],
  "a message that is damaged": [
    250,
    (random) => {
      const bytes = Buffer.from(SHORT.subarray(5));
      for (let count = random.between(1, 3); count > 0; count -= 1)
        bytes[random.below(bytes.length)] = random.below(256);
      return framed(random, ECHO, frame(random.chance(0.3) ? bytes.subarray(0, random.below(bytes.length)) : bytes));
    },
  ],
  "a timeout": [
    200,
    (random) =>
      echo(random, { headers: { "grpc-timeout": random.pick([...GOOD_TIMEOUTS, ...ZERO_TIMEOUTS, ...BAD_TIMEOUTS]) } }),
  ],
  "a timeout that is longer than a timer": [
    12,
    (random) =>
      framed(random, WAIT, frame(messageOf(WAIT, { phone: "40" })), {
        headers: { "grpc-timeout": random.pick(ENDLESS_TIMEOUTS) },
      }),
  ],
  "a deadline that passes": [
    80,
    (random) =>
      framed(random, WAIT, frame(Buffer.alloc(0)), {
        headers: { "grpc-timeout": random.pick([...SHORT_TIMEOUTS, ...ZERO_TIMEOUTS]) },
      }),
  ],
  metadata: [
    250,
    (random) =>
      echo(random, {
        headers: { "x-service-orgid": random.pick(ORG_IDS), authorization: random.pick(TOKENS), ...harmless(random) },
      }),
  ],
  "a caller without a token": [
    120,
    (random) =>
      framed(
        random,
        random.pick([ECHO, FAIL]),
        random.pick([SHORT, SHORT.subarray(0, 9), Buffer.alloc(0), sized(MAX_BODY_BYTES + 1)]),
        {
          headers: {
            authorization: random.pick([undefined, "", "Bearer wrong"]),
            "grpc-encoding": random.pick(ENCODINGS),
            "grpc-timeout": random.pick([undefined, ...BAD_TIMEOUTS]),
          },
        },
      ),
  ],
  "a content type": [
    CONTENT_TYPES.length * 12,
    (random, number) => {
      const type = CONTENT_TYPES[number % CONTENT_TYPES.length];
      const json = Buffer.from(JSON.stringify({ userName: "ada" }));
      const message = type?.includes("json") ? json : SHORT.subarray(5);
      const body = type?.toLowerCase().includes("grpc") ? frame(message) : message;
      return framed(random, ECHO, body, { headers: { "content-type": random.chance(0.02) ? undefined : type } });
    },
  ],
  "a compression": [
    300,
    (random) => {
      const encoding = random.pick(ENCODINGS);
      const message = messageOf(ECHO, { ...person(random), otpCode: "x".repeat(random.pick([0, 2_000])) });
      const compressed = encoding === "br" ? brotliCompressSync(message) : gzipSync(message);
      const flags = random.below(2);
      return framed(random, ECHO, frame(flags === 1 ? compressed : message, flags), {
        headers: { "grpc-encoding": encoding, "grpc-accept-encoding": random.pick(ACCEPTED) },
      });
    },
  ],
  "a compression that is not what it is said to be": [
    60,
    (random) => {
      const encoding = random.pick(["gzip", "br"]);
      const message = messageOf(ECHO, person(random));
      const compressed = encoding === "br" ? brotliCompressSync(message) : gzipSync(message);
      const cut = compressed.subarray(0, random.between(1, compressed.length - 1));
      const [payload, flags] = random.pick([
        [message, 1],
        [cut, 1],
        [compressed, 0],
      ] as const);
      return framed(random, ECHO, frame(payload, flags), { headers: { "grpc-encoding": encoding } });
    },
  ],
  "a size near the limit": [
    100,
    (random) => {
      const size = MAX_BODY_BYTES + random.pick([-1, 0, 0, 1, 1, 2, 5, 6, 5_000, 200_000]);
      const form = random.pick(FORMS);
      // Over HTTP/1.1, Connect's adapter may disconnect before a body that it rejects is sent.
      if (form[1] === "http1") return framed(random, ECHO, sized(Math.min(size, 2 * MAX_BODY_BYTES)), { form });
      return framed(random, ECHO, sized(size), { form, parts: random.cut(sized(size), random.between(1, 4)) });
    },
  ],
  "a message that is too large once uncompressed": [
    20,
    (random) =>
      framed(random, ECHO, frame(gzipSync(sized(MAX_BODY_BYTES + random.pick([0, 1, 90_000])).subarray(5)), 1), {
        headers: { "grpc-encoding": "gzip" },
      }),
  ],
  "a path of no method": [
    100,
    (random) =>
      framed(random, ECHO, SHORT, {
        path: random.pick(
          [
            `${pathOf(ECHO)}s`,
            `${pathOf(ECHO)}/`,
            "/",
            "/a/b",
            pathOf(ECHO).toLowerCase(),
            "/a%20b",
            "//",
            "/é".normalize(),
          ].map((path) => encodeURI(decodeURI(path))),
        ),
        headers: { authorization: random.pick([TOKEN, undefined]) },
      }),
  ],
  "a query": [20, (random) => echo(random, { path: `${pathOf(ECHO)}?${random.pick(["", "a=b", "connect=v1", "?"])}` })],
  "a method of HTTP": [
    120,
    (random) =>
      echo(random, {
        method: random.pick(["GET", "HEAD", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "PROPFIND"]),
        headers: { "content-type": random.pick(["application/grpc", "application/grpc-web", "application/json"]) },
      }),
  ],
  CONNECT: [
    6,
    (random) => {
      const { request, ...call } = echo(random, {
        form: ["grpc", "http2"],
        method: "CONNECT",
        headers: { ":authority": "a:1" },
      });
      return { ...call, request: { ...request, path: undefined } };
    },
  ],
  "te and host": [
    150,
    (random) =>
      echo(random, {
        headers: {
          te: random.pick([undefined, "trailers"]),
          ...random.pick<Change["headers"]>([
            {},
            { host: "a" },
            { host: "example.com:99" },
            { host: "a:b:c" },
            { host: "" },
            { "x-no-host": "1" },
          ]),
        },
      }),
  ],
  expect: [
    20,
    (random) => echo(random, { headers: { expect: random.pick(["100-continue", "100-Continue", "200-ok"]) } }),
  ],
  "gRPC over HTTP/1.1": [
    100,
    (random) =>
      random.chance(0.5)
        ? framed(random, FAIL, frame(messageOf(FAIL, failure(random))), { form: ["grpc", "http1"] as never })
        : echo(random, { form: ["grpc", "http1"] as never }),
  ],
  "a reset": [
    96,
    (random, number) => {
      const resetId = `reset ${number}`;
      const whole = frame(messageOf(ECHO, { otpCode: resetId }));
      const parts = [[], [whole.subarray(0, 9)], [whole]][number % 3] ?? [];
      const ending = {
        code: [0, 8, 2, 5][(number >> 1) & 3] ?? 0,
        when: number % 2 === 0 ? "at once" : "later",
      } as const;
      const path = random.pick([pathOf(ECHO), pathOf(ECHO), "/a/b", "/healthz"]);
      const headers = { "grpc-timeout": random.pick([undefined, "0S", "soon"]) };
      return framed(random, ECHO, whole, { form: ["grpc", "http2"], parts, ending, resetId, path, headers });
    },
  ],
  REST: [300, (random) => rest(random, random.pick([ECHO, FAIL, FORBIDDEN]))],
  "REST with JSON that is damaged": [
    200,
    (random) => {
      const text = JSON.stringify({
        userName: "ada",
        profile: { firstName: "Ada", gender: "GENDER_MALE" },
        idps: [{}],
      });
      const at = random.below(text.length);
      const instead = random.pick([
        "",
        '"',
        "{",
        "}",
        "[",
        ",",
        ":",
        "1",
        "x",
        "null",
        "\\",
        "\\u0041",
        "\n",
        "\u2028",
      ]);
      return rest(random, ECHO, Buffer.from(text.slice(0, at) + instead + text.slice(at + random.below(3))));
    },
  ],
  "REST with a key that is given twice": [
    10,
    (random) => rest(random, ECHO, Buffer.from(`{"userName":"a","otpCode":"b","userName":"${random.below(9)}"}`)),
  ],
  "REST with what is no UTF-8": [
    10,
    (random) => rest(random, ECHO, Buffer.from(`{"userName":"\xe9${random.below(9)}"}`, "latin1")),
  ],
  "REST without a token": [30, (random) => rest(random, ECHO, undefined, random.pick([null, "", "Bearer wrong"]))],
  "REST of a size near the limit": [
    40,
    (random) => rest(random, ECHO, Buffer.from("{}".padEnd(MAX_BODY_BYTES + random.pick([-1, 0, 1, 9_000]), " "))),
  ],
  "each RPC": [
    OTHERS.length * WIRES.length,
    (random, number) => {
      const rpc = OTHERS[number % OTHERS.length] ?? ECHO;
      const wire = WIRES[Math.floor(number / OTHERS.length)] ?? "rest";
      return complete(random, rpc, wire, `recorded ${number}`);
    },
  ],
} satisfies Record<string, readonly [count: number, generate: Generate]>;

export type Kind = keyof typeof KINDS;

/** All calls, with the kinds mixed. */
export function generateCalls(random: Random): GeneratedCall[] {
  const calls: GeneratedCall[] = [];
  for (const [kind, [count, generate]] of Object.entries(KINDS) as [Kind, readonly [number, Generate]][]) {
    for (let number = 0; number < count; number += 1) {
      calls.splice(random.below(calls.length + 1), 0, { kind, ...generate(random, number) });
    }
  }
  return calls;
}

/** Metadata that the service does not use. */
function harmless(random: Random): Record<string, string | string[] | undefined> {
  return {
    "x-any-bin": random.pick([undefined, ...BINARY_VALUES, BINARY_VALUES]),
    "X-Mixed-Case": random.pick([undefined, "a", " a ", "\xe9"]),
    "user-agent": random.pick([undefined, "grpc-test/1.0"]),
    "grpc-message-type": random.pick([undefined, "signet.v1.Any"]),
    "x-repeated": random.pick([undefined, ["a", "b", "a"], [" a", "b "]]),
  };
}
