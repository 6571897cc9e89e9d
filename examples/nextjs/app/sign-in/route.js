import { NextResponse } from "next/server";
import * as client from "openid-client";
import { writeCookie } from "../../lib/sealed-cookie.js";
import { findConfiguration, ORIGIN } from "../../lib/signet.js";

/** Redirects the browser to Signet, and keeps what its return is checked against. */
export async function GET() {
  const configuration = await findConfiguration();
  const codeVerifier = client.randomPKCECodeVerifier();
  const attempt = { codeVerifier, state: client.randomState(), nonce: client.randomNonce() };
  await writeCookie("attempt", attempt, 3_600);
  const location = client.buildAuthorizationUrl(configuration, {
    redirect_uri: `${ORIGIN}/signed-in`,
    scope: "openid profile email",
    code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
    code_challenge_method: "S256",
    state: attempt.state,
    nonce: attempt.nonce,
  });
  return NextResponse.redirect(location, 303);
}
