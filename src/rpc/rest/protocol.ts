import type { IncomingHttpHeaders } from "node:http";
import { toJsonString } from "@bufbuild/protobuf";
import { invalidArgument } from "../../errors.ts";
import { sendError } from "../../http/router.ts";
import { parseJson } from "../json/json-syntax.ts";
import { readMessage } from "../json/read-message.ts";
import type { Protocol } from "../run-call.ts";
import type { FoundRoute } from "./http-rule.ts";
import { toRequestJson } from "./rest-request.ts";

/**
 * The only content type, without content encoding: guessing at others would hide mistakes, and a small compressed body
 * could expand to a large one.
 */
const JSON_TYPE = ["content-type", "application/json"];

/**
 * REST: path, query and body are the JSON form of the message (google.api.http), and an error is a google.rpc.Status.
 */
export function createRestProtocol(route: FoundRoute, query: string): Protocol {
  const { input, output } = route.method;
  return {
    name: "rest",
    overheadBytes: 0,
    async respond(exchange, headers, body, run) {
      const json = body.length === 0 ? undefined : parseJson(body, route.body === "*" ? input : undefined);
      const message = await run(readMessage(input, toRequestJson(route, parseQuery(query), json)));
      exchange.send(200, [...headers, ...JSON_TYPE], Buffer.from(toJsonString(output, message)));
      return "ok";
    },
    sendError,
  };
}

/** @throws SignetError INVALID_ARGUMENT for text that `URLSearchParams` would replace, instead of reject. */
function parseQuery(query: string): URLSearchParams {
  if (!isEncodedText(query)) {
    throw invalidArgument({ field: "", description: "the query string is not percent-encoded UTF-8" });
  }
  return new URLSearchParams(query);
}

function isEncodedText(query: string): boolean {
  if (!/^[\x21-\x7e]*$/.test(query)) return false;
  try {
    decodeURIComponent(query);
    return true;
  } catch {
    return false;
  }
}

/** Whether a request's body is uncompressed JSON. A request without a body needs no content type. */
export function isPlainJson(method: string, headers: IncomingHttpHeaders): boolean {
  const contentType = headers["content-type"];
  const isJson = contentType === undefined ? BODILESS.has(method) : /^application\/json *(;|$)/i.test(contentType);
  return isJson && /^(identity)?$/i.test(headers["content-encoding"] ?? "");
}

/** Methods whose request bodies have no defined meaning (RFC 9110, section 9.3). */
const BODILESS: ReadonlySet<string> = new Set(["GET", "HEAD", "DELETE"]);
