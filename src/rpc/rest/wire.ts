import type { IncomingHttpHeaders } from "node:http";
import { toJsonString } from "@bufbuild/protobuf";
import { sendError } from "../../http/router.ts";
import { parseJson } from "../json/json-syntax.ts";
import { readMessage } from "../json/read-message.ts";
import type { Wire } from "../run-call.ts";
import type { FoundRoute } from "./http-rule.ts";
import { toRequestJson } from "./rest-request.ts";

const JSON_TYPE = ["content-type", "application/json"];

/**
 * REST: path, query and body are the JSON form of the message (google.api.http), and an error is a google.rpc.Status.
 */
export function createRestWire(route: FoundRoute, query: string): Wire {
  const { input, output } = route.method;
  return {
    protocol: "rest",
    overheadBytes: 0,
    async respond(exchange, headers, body, run) {
      const json = body.length === 0 ? undefined : parseJson(body, route.body === "*" ? input : undefined);
      const message = await run(readMessage(input, toRequestJson(route, new URLSearchParams(query), json)));
      exchange.send(200, [...headers, ...JSON_TYPE], Buffer.from(toJsonString(output, message)));
      return "ok";
    },
    sendError,
  };
}

/** Whether a request's body is uncompressed JSON. A request without a body needs no content type. */
export function isPlainJson(method: string, headers: IncomingHttpHeaders): boolean {
  const contentType = headers["content-type"];
  const isJson = contentType === undefined ? BODILESS.has(method) : /^application\/json *(;|$)/i.test(contentType);
  return isJson && /^(identity)?$/i.test(headers["content-encoding"] ?? "");
}

/** Methods whose request bodies have no defined meaning (RFC 9110, section 9.3). */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"]);
