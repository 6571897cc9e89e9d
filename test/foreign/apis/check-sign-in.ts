/**
 * Signs a user in to an application and out again: `node check-sign-in.ts <folder> <command…>`. The command runs in the
 * folder, with the port as its last argument, and reads SIGNET_URL, APP_ORIGIN, CLIENT_ID, CLIENT_SECRET and
 * SESSION_SECRET. Reads SIGNET_ADDRESS and SIGNET_TOKEN.
 */
import { equal, match, ok } from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { createBrowser } from "../../support/browsers/browser.ts";
import { freePort } from "../../support/free-port.ts";
import { whileRunning } from "../while-running.ts";
import { createSignet } from "./signet-user.ts";

const [folder = "", command = "", ...given] = process.argv.slice(2);
const signet = createSignet();
const port = await freePort();
const origin = `http://localhost:${port}`;
const app = await signet.addApp("Next.js", "OIDC_TOKEN_TYPE_BEARER", `${origin}/signed-in`);
const user = await signet.importUser();
const env = {
  ...process.env,
  ...{ SIGNET_URL: signet.url, APP_ORIGIN: origin, CLIENT_ID: app.clientId, CLIENT_SECRET: app.clientSecret },
  SESSION_SECRET: randomBytes(32).toString("hex"),
};
await whileRunning(
  { command, args: [...given, String(port)], options: { cwd: folder, env }, url: origin },
  async () => {
    const browser = createBrowser(origin, origin);
    match((await browser.open("/")).text, /Sign in/);
    const begun = await browser.open("/sign-in");
    equal(begun.status, 303);
    const back = await signet.passSignIn(user, new URL(begun.location));
    ok(back.href.startsWith(`${origin}/signed-in?`));

    // Another browser cannot use the code, and neither can this one with another state.
    equal((await createBrowser(origin, origin).open(back.href)).status, 400);
    const done = await browser.open(back.href);
    equal(done.status, 303);
    match((await browser.open("/")).text, new RegExp(user.userId));
    const forged = await createBrowser(origin, origin).open("/", { headers: { cookie: "session=e30" } });
    match(forged.text, /Sign in/);
    equal((await browser.open(back.href)).status, 400);
    console.log("signs a user in, in the browser that has begun");

    const signedOut = await browser.post("/sign-out", {});
    equal(signedOut.status, 303);
    ok(signedOut.location.startsWith(`${signet.url}/`));
    match((await browser.open("/")).text, /Sign in/);
    console.log("signs the user out");
  },
);
