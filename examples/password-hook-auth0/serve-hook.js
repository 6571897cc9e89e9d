import { createServer } from "node:http";
import { Webhook } from "standardwebhooks";

/** More than any request of Signet has. */
const MAX_BODY_BYTES = 65_536;

/** Statuses of responses. With 503, Signet does not count the attempt, because nobody has checked the password. */
const STATUS = { checked: 200, malformed: 400, forged: 401, unknown: 502, unchecked: 503 };

/** The earlier system has not checked the password: it is out of reach, or refuses too many attempts. */
export class Unchecked extends Error {}

/**
 * Serves a password hook of Signet.
 *
 * @param check Gets the user and the password. Returns `{ valid }`, also with `passwordChangeRequired`. Throws `Unchecked`, or
 *   another error if nothing is known about the password.
 */
export function serveHook(check) {
  const { SIGNET_SIGNING_KEY: signingKey, HOST: host = "localhost", PORT: port = "3002" } = process.env;
  const webhook = new Webhook(signingKey);
  const server = createServer(async (request, response) => {
    const [status, body] = await answer(request);
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(body));
  });
  server.listen(Number(port), host, () => console.log(`listening on http://${host}:${server.address().port}`));

  async function answer(request) {
    const body = await readBody(request).catch(() => undefined);
    if (body === undefined) return [STATUS.malformed, { error: "expected a small body" }];
    let event;
    try {
      // Rejects wrong signatures, and requests of more than five minutes ago.
      event = webhook.verify(body, request.headers);
    } catch {
      return [STATUS.forged, { error: "the signature is wrong" }];
    }
    if (event.type !== "password.check") return [STATUS.malformed, { error: "expected the type password.check" }];
    const { user, password } = event.data;
    try {
      return [STATUS.checked, await check(user, password)];
    } catch (error) {
      console.error(`${user.id}: ${error.message}`);
      const status = error instanceof Unchecked ? STATUS.unchecked : STATUS.unknown;
      return [status, { error: "the earlier system has not answered" }];
    }
  }
}

async function readBody(request) {
  const chunks = [];
  let bytes = 0;
  for await (const chunk of request) {
    bytes += chunk.length;
    if (bytes > MAX_BODY_BYTES) throw new Error("the body is too large");
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

/** The claims of an ID token that came directly from its issuer over TLS (OpenID Connect Core 1.0, section 3.1.3.7). */
export function claimsOf(idToken) {
  return JSON.parse(Buffer.from(idToken.split(".")[1], "base64url").toString());
}

/**
 * The id of a user in the earlier system. The answer must be about this user: anybody may have the same name there who has
 * not been imported.
 */
export function idOf({ externalId, subject }) {
  return externalId ?? subject;
}
