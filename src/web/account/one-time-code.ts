import { randomBytes } from "node:crypto";
import { networkOf } from "../../http/network-of.ts";
import { encodeBase32 } from "../../sign-in/base32.ts";
import { checkOneTimeCode } from "../../sign-in/check-one-time-code.ts";
import { findSignInUser } from "../../sign-in/find-sign-in-user.ts";
import { openOneTimeCode } from "../../sign-in/one-time-code.ts";
import { addOneTimeCode, removeOneTimeCode } from "../../sign-in/one-time-code-changes.ts";
import { signInWithPassword } from "../../sign-in/sign-in-with-password.ts";
import { findStep, parseTotpSecret, totpUri } from "../../sign-in/totp.ts";
import type { PageResponse, PageRoutes } from "../frame/page.ts";
import { redirect } from "../frame/redirect.ts";
import { ACCOUNT_PATH } from "../frame/sign-in-link.ts";
import { ONE_TIME_CODE_TEXTS } from "../sign-in/texts/one-time-code-texts.ts";
import { tooOften } from "../sign-in/too-often.ts";
import type { AccountContext, SignedInVisit, WithSession } from "./account-context.ts";
import { ONE_TIME_CODE_PATH, REMOVE_ONE_TIME_CODE_PATH } from "./account-page.ts";
import {
  type RemoveProblem,
  recoveryCodesPage,
  removePage,
  type SetUpProblem,
  setUpPage,
} from "./one-time-code-pages.ts";
import { askAgain, isRecent } from "./recent-sign-in.ts";
import { ACCOUNT_TEXTS } from "./texts/account-texts.ts";

/** 160 bits, the length of SHA-1, as recommended by RFC 4226, section 4. */
const KEY_BYTES = 20;
const SET_UP_MS = 15 * 60_000;

/** `/ui/account/one-time-code`: sets up and removes the one-time codes of the signed-in user. */
export function createOneTimeCodeRoutes(context: AccountContext, withSession: WithSession): PageRoutes {
  const { db, clock, keyring, formTokens, deviceCookie, sessions } = context;

  return {
    [ONE_TIME_CODE_PATH]: {
      get: (visit) =>
        withSession(visit, async (found) => {
          if (openOneTimeCode(keyring, found.account) !== undefined) return redirect(ACCOUNT_PATH);
          if (!isRecent(clock, found.session)) return askAgain(sessions, found.account);
          return showSetUp(found, encodeBase32(randomBytes(KEY_BYTES)));
        }),
      postForm: (visit, form) => withSession(visit, (found) => setUp(found, form)),
    },
    [REMOVE_ONE_TIME_CODE_PATH]: {
      get: (visit) =>
        withSession(visit, async (found) =>
          openOneTimeCode(keyring, found.account) === undefined ? redirect(ACCOUNT_PATH) : showRemove(found),
        ),
      postForm: (visit, form) => withSession(visit, (found) => remove(found, form)),
    },
  };

  /** The form contains the secret, encrypted. It is stored once the user has entered its first code. */
  function showSetUp({ visit, session, account }: SignedInVisit, base32: string, problem?: SetUpProblem): PageResponse {
    const secret = parseTotpSecret(base32);
    if (secret === undefined) throw new Error("the new secret cannot be read");
    const content = JSON.stringify({ base32, expiresAt: clock().getTime() + SET_UP_MS });
    const { keyId, ciphertext } = keyring.seal(placeOf(session.id), content);
    return setUpPage(visit, {
      token: formTokens.create(session.id),
      secret: `${keyId}.${ciphertext.toString("base64url")}`,
      base32,
      uri: totpUri(secret, base32, account.userName),
      userName: account.userName,
      problem,
    });
  }

  function openSecret(sessionId: string, text: string): string | undefined {
    const [keyId = "", ciphertext = ""] = text.split(".");
    try {
      const sealed = { keyId, ciphertext: Buffer.from(ciphertext, "base64url") };
      const { base32, expiresAt } = JSON.parse(keyring.open(placeOf(sessionId), sealed));
      return expiresAt > clock().getTime() ? base32 : undefined;
    } catch {
      return undefined;
    }
  }

  async function setUp(found: SignedInVisit, form: URLSearchParams): Promise<PageResponse> {
    const { visit, session, account } = found;
    const { language } = visit;
    if (!isRecent(clock, session)) return askAgain(sessions, account);
    const base32 = openSecret(session.id, form.get("secret") ?? "");
    const secret = base32 === undefined ? undefined : parseTotpSecret(base32);
    if (base32 === undefined || secret === undefined || !formTokens.isValid(session.id, form.get("token"))) {
      return showSetUp(found, encodeBase32(randomBytes(KEY_BYTES)), { text: ACCOUNT_TEXTS[language].stale });
    }
    const code = (form.get("code") ?? "").replaceAll(/[-\s]/g, "");
    const step = findStep(secret, code, clock(), null);
    if (step === undefined) return showSetUp(found, base32, { text: ONE_TIME_CODE_TEXTS[language].wrong });
    if (openOneTimeCode(keyring, account) !== undefined) return redirect(ACCOUNT_PATH);
    visit.caller.throwIfOver();
    const codes = await addOneTimeCode(context, account, { base32, step, former: account.otpCode });
    return codes === undefined ? redirect(ACCOUNT_PATH) : recoveryCodesPage(visit, codes);
  }

  function showRemove({ visit, session, account }: SignedInVisit, problem?: RemoveProblem): PageResponse {
    const { userName, hasPassword } = account;
    return removePage(visit, { token: formTokens.create(session.id), userName, hasPassword, problem });
  }

  /** Requires the password, a one-time code or a recovery code, because an open session alone must not be enough. */
  async function remove(found: SignedInVisit, form: URLSearchParams): Promise<PageResponse> {
    const { visit, session, account } = found;
    const { language, caller, request } = visit;
    if (!formTokens.isValid(session.id, form.get("token"))) {
      return showRemove(found, { status: 422, field: "code", text: ACCOUNT_TEXTS[language].stale });
    }
    const user = await findSignInUser({ db, caller }, account.id);
    if (user === undefined || user.otpCode === null) return redirect(ACCOUNT_PATH);
    const password = form.get("password") ?? "";
    const from = { network: networkOf(request.address), deviceCookie: deviceCookie.read(visit) };
    const field = password === "" ? "code" : "password";
    const outcome =
      field === "password"
        ? await signInWithPassword(
            { ...context, caller },
            { orgId: user.orgId, userName: user.userName, password, ...from },
          )
        : await checkOneTimeCode({ ...context, caller }, user, { code: form.get("code") ?? "", ...from });
    switch (outcome.kind) {
      case "failed": {
        const text =
          field === "password" ? ACCOUNT_TEXTS[language].password.wrong : ONE_TIME_CODE_TEXTS[language].wrong;
        return showRemove(found, { status: 422, field, text });
      }
      case "too-often":
        return showRemove(found, { field, ...tooOften(outcome.retrySeconds, language) });
      case "proved":
        await removeOneTimeCode(context, user, { keptSession: session.id });
        return redirect(ACCOUNT_PATH);
      default:
        return outcome satisfies never;
    }
  }
}

/** Binds an encrypted secret to the session in which it was shown. There is no such table. */
function placeOf(sessionId: string) {
  return { table: "account", column: "one-time-code", rowId: sessionId };
}
