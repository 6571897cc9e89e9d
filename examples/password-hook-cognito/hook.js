/**
 * A password hook for users of an Amazon Cognito user pool: `node hook.js`, with these variables:
 *
 * - SIGNET_SIGNING_KEY: printed by `signet password-hook set`.
 * - COGNITO_REGION, COGNITO_CLIENT_ID: of an app client that allows ALLOW_USER_PASSWORD_AUTH.
 * - COGNITO_CLIENT_SECRET: if the app client has one.
 * - HOST, PORT: where it listens; http://localhost:3002 by default. A proxy in front of it serves HTTPS.
 */
import { createHmac } from "node:crypto";
import { claimsOf, idOf, serveHook, Unchecked } from "./serve-hook.js";

const { COGNITO_REGION: region, COGNITO_CLIENT_ID: clientId, COGNITO_CLIENT_SECRET: secret } = process.env;
const { COGNITO_ENDPOINT: endpoint = `https://cognito-idp.${region}.amazonaws.com/` } = process.env;

/** Signet waits for five seconds. */
const LIMIT_MS = 4_000;

/** The challenges that follow a correct password. */
const AFTER_PASSWORD = ["SMS_MFA", "EMAIL_OTP", "SOFTWARE_TOKEN_MFA", "SELECT_MFA_TYPE", "MFA_SETUP"];

/** The user cannot sign in there with this password. */
const REFUSED = [
  "NotAuthorizedException",
  "UserNotFoundException",
  "UserNotConfirmedException",
  "PasswordResetRequiredException",
];

serveHook(async (user, password) => {
  const { status, body } = await initiateAuth(user.userName, password);
  if (status !== 200) return readError(body);
  const { ChallengeName: challenge, ChallengeParameters: parameters = {}, AuthenticationResult: result } = body;
  if (result !== undefined) return { valid: claimsOf(result.IdToken).sub === idOf(user) };
  // Without tokens, only the name says whose password it is.
  const valid = [idOf(user), user.userName].includes(parameters.USER_ID_FOR_SRP);
  if (challenge === "NEW_PASSWORD_REQUIRED") return { valid, passwordChangeRequired: true };
  if (AFTER_PASSWORD.includes(challenge)) return { valid };
  throw new Error(`Cognito requires ${challenge}`);
});

/** InitiateAuth, which needs no AWS credentials. */
async function initiateAuth(userName, password) {
  const hash =
    secret &&
    createHmac("sha256", secret)
      .update(userName + clientId)
      .digest("base64");
  try {
    const response = await fetch(endpoint, {
      method: "POST",
      headers: {
        "content-type": "application/x-amz-json-1.1",
        "x-amz-target": "AWSCognitoIdentityProviderService.InitiateAuth",
      },
      body: JSON.stringify({
        AuthFlow: "USER_PASSWORD_AUTH",
        ClientId: clientId,
        AuthParameters: { USERNAME: userName, PASSWORD: password, ...(hash && { SECRET_HASH: hash }) },
      }),
      signal: AbortSignal.timeout(LIMIT_MS),
    });
    return { status: response.status, body: await response.json() };
  } catch (error) {
    throw new Error(`Cognito has not answered: ${error.cause?.code ?? error.name}`);
  }
}

function readError({ __type: type = "", message = "" }) {
  // Some responses have the namespace before the name.
  const name = type.split("#").at(-1);
  if (name.startsWith("TooMany") || message === "Password attempts exceeded") throw new Unchecked(name);
  // The same exception says that COGNITO_CLIENT_SECRET is missing or wrong.
  if (!REFUSED.includes(name) || /\bsecret\b/i.test(message)) throw new Error(`Cognito has answered ${name}`);
  return { valid: false };
}
