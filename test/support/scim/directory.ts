import type { JsonObject } from "@bufbuild/protobuf";
import { createOperatorCall } from "../../../src/call.ts";
import type { ScimConnectionPayload } from "../../../src/events/catalogue.ts";
import { addScimConnection } from "../../../src/scim/connections/change-scim-connection.ts";
import type { TestService } from "../servers/service.ts";

/** A response of `/scim/v2`. */
export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** Empty if there is no body. */
  readonly body: JsonObject;
}

/** A directory that sends users to an organization. */
export interface Directory {
  readonly connectionId: string;
  readonly token: string;
  send(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<ScimAnswer>;
}

/** Adds a SCIM connection to an organization. */
export async function createDirectory(
  service: TestService,
  orgId: string,
  settings: Partial<ScimConnectionPayload> = {},
): Promise<Directory> {
  const links = { linkAttribute: 1, linkPath: null, idpId: null, groupAppId: null };
  const defaults = { name: "Directory", addressRule: 1, ...links, isTrial: false };
  const call = createOperatorCall({ instanceId: service.instanceId, orgId });
  const { id, token } = await addScimConnection(service, { ...defaults, ...settings }, call);
  service.secret(token);
  return { connectionId: id, token, send: sendTo(service, token) };
}

/** Returns a function that sends requests with a token. */
export function sendTo({ origin }: TestService, token: string): Directory["send"] {
  return async (method, path, body, headers = {}) => {
    const response = await fetch(`${origin}/scim/v2${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body !== undefined && { "content-type": "application/scim+json" }),
        ...headers,
      },
      ...(body !== undefined && {
        body: typeof body === "string" || body instanceof Blob ? body : JSON.stringify(body),
      }),
    });
    const text = await response.text();
    return { status: response.status, headers: response.headers, body: text === "" ? {} : JSON.parse(text) };
  };
}
