import { NextResponse } from "next/server";
import * as client from "openid-client";
import { deleteCookie, readCookie, writeCookie } from "../../lib/sealed-cookie.js";
import { findConfiguration, ORIGIN } from "../../lib/signet.js";

/** How long a user stays signed in here. */
const SESSION_SECONDS = 8 * 3_600;

/** Redeems the code, and starts a session. */
export async function GET(request) {
  const attempt = await readCookie("attempt");
  await deleteCookie("attempt");
  if (attempt === undefined) return failed("The sign-in began in another browser.");
  const configuration = await findConfiguration();
  // Behind a proxy, the URL of the request has another origin.
  const callback = new URL(`/signed-in${request.nextUrl.search}`, ORIGIN);
  try {
    const tokens = await client.authorizationCodeGrant(configuration, callback, {
      pkceCodeVerifier: attempt.codeVerifier,
      expectedState: attempt.state,
      expectedNonce: attempt.nonce,
    });
    const claims = await client.fetchUserInfo(configuration, tokens.access_token, tokens.claims().sub);
    await writeCookie("session", { claims, idToken: tokens.id_token }, SESSION_SECONDS);
  } catch (error) {
    console.error(error);
    return failed("The sign-in failed.");
  }
  return NextResponse.redirect(`${ORIGIN}/`, 303);
}

function failed(reason) {
  return new NextResponse(`${reason} Please try again.`, { status: 400 });
}
