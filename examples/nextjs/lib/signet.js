import * as client from "openid-client";

const issuer = new URL(process.env.SIGNET_URL ?? "http://localhost:8080");

/** The URL of this application, whose `/signed-in` is the redirect URI. */
export const ORIGIN = process.env.APP_ORIGIN ?? "http://localhost:3000";

let discovered;

/** The endpoints and keys of Signet, loaded at the first sign-in, so that a build needs no running service. */
export async function findConfiguration() {
  discovered ??= client.discovery(
    issuer,
    process.env.CLIENT_ID,
    undefined,
    client.ClientSecretBasic(process.env.CLIENT_SECRET),
    // Use HTTP without TLS only on the local machine.
    { execute: issuer.protocol === "http:" ? [client.allowInsecureRequests] : [] },
  );
  try {
    return await discovered;
  } catch (error) {
    discovered = undefined;
    throw error;
  }
}
