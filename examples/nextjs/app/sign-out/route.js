import { NextResponse } from "next/server";
import * as client from "openid-client";
import { deleteCookie, readCookie } from "../../lib/sealed-cookie.js";
import { findConfiguration, ORIGIN } from "../../lib/signet.js";

/** Ends the session here, and then at Signet, which redirects back. Forms of other sites come without the cookie. */
export async function POST() {
  const session = await readCookie("session");
  await deleteCookie("session");
  if (session === undefined) return NextResponse.redirect(`${ORIGIN}/`, 303);
  const parameters = { id_token_hint: session.idToken, post_logout_redirect_uri: `${ORIGIN}/` };
  return NextResponse.redirect(client.buildEndSessionUrl(await findConfiguration(), parameters), 303);
}
