import type { IncomingHttpHeaders } from "node:http";
import { toJsonString } from "@bufbuild/protobuf";
import type { SignetError } from "../../errors.ts";
import { type Exchange, type RawHeaders, toRawHeaders } from "../../http/exchange.ts";
import { parseJson } from "../json/json-syntax.ts";
import { readMessage } from "../json/read-message.ts";
import type { Wire } from "../serve-unary.ts";
import { toRestError } from "../wire-errors.ts";
import type { FoundRoute } from "./http-rule.ts";
import { toRequestJson } from "./rest-request.ts";

/** REST: path, query and body are the JSON form of the message (google.api.http), an error is google.rpc.Status. */
export function createRestWire(route: FoundRoute, query: string): Wire {
  const { input, output } = route.method;
  return {
    overheadBytes: 0,
    readMessage(body) {
      const json = body.length === 0 ? undefined : parseJson(body);
      return readMessage(input, toRequestJson(route, new URLSearchParams(query), json));
    },
    sendMessage(exchange, headers, message) {
      send(exchange, 200, headers, toJsonString(output, message));
    },
    sendError: sendRestError,
  };
}

/** Sends an error in the form of REST. */
export function sendRestError(exchange: Exchange, headers: RawHeaders, error: SignetError): void {
  const { status, headers: ownHeaders, body } = toRestError(error);
  send(exchange, status, [...headers, ...toRawHeaders(ownHeaders)], JSON.stringify(body));
}

/** Whether the body of a request is JSON that is not compressed. */
export function isPlainJson(headers: IncomingHttpHeaders): boolean {
  const isJson = /^application\/json *(;|$)/i.test(headers["content-type"] ?? "");
  return isJson && /^(identity)?$/i.test(headers["content-encoding"] ?? "");
}

function send(exchange: Exchange, status: number, headers: RawHeaders, json: string): void {
  exchange.send(status, [...headers, "content-type", "application/json"], Buffer.from(json));
}
