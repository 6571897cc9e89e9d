import type { ClientAuth } from "openid-client";

/**
 * Sends the client secret in the header `authorization` (RFC 6749, section 2.3.1). Unlike `ClientSecretBasic` of
 * openid-client, it does not encode `-._~!*'()`, which mean the same either way, because X and others compare the header
 * without decoding it.
 */
export function clientSecretBasic(clientSecret: string): ClientAuth {
  return (_server, { client_id: clientId }, _body, headers) => {
    const credentials = [clientId, clientSecret].map(encodeURIComponent).join(":");
    headers.set("authorization", `Basic ${Buffer.from(credentials).toString("base64")}`);
  };
}
