import type { PublicKeyCredentialCreationOptionsJSON } from "@simplewebauthn/server";
import { trimText } from "../../../fields/trim-text.ts";
import {
  CREATED,
  createPasskeyOptions,
  type NewPasskey,
  readClientData,
  readResponse,
  toRelyingParty,
  verifyPasskey,
} from "../../../passkeys/ceremony.ts";
import { findLoginPolicy } from "../../../policies/get-login-policy.ts";
import type { LoginPolicy } from "../../../policies/login-policy.ts";
import type { PersonFields } from "../../../sign-in/check-entered.ts";
import { toMethods } from "../../../sign-in/methods.ts";
import {
  checkPerson,
  findObstacle,
  type NewUser,
  type RegisterOutcome,
  registerUser,
} from "../../../sign-in/register/register-user.ts";
import {
  findRegistration,
  findRegistrationState,
  type LinkedRegistration,
  type PendingRegistration,
} from "../../../sign-in/register/registration.ts";
import type { PasskeyToInsert } from "../../../users/import/store-credentials.ts";
import { findLanguage, findServiceName } from "../../frame/find-branding.ts";
import type { PageResponse, PageRoutes, Visit } from "../../frame/page.ts";
import { STEP_COOKIE } from "../../frame/page-cookies.ts";
import { problemPage } from "../../frame/problem-page.ts";
import { inOrg, redirect, withCookies } from "../../frame/responses.ts";
import { checkNewPassword, readPasswordError } from "../../links/new-password-fields.ts";
import { findLimited } from "../../links/open-link.ts";
import { canRegister, canRegisterPasskey, offersRegistration } from "../allowed.ts";
import { findRestart } from "../ended-page.ts";
import type { SignInParts, SignInVisit, StepResult } from "../sign-in-parts.ts";
import { REGISTRATION_PATH, stepPath } from "../steps.ts";
import { addressTakenPage, type FinishError, finishPage, linkOverPage, readyPage } from "./register-pages.ts";

interface OpenedRegistration {
  readonly visit: Visit;
  readonly signInId: string;
  readonly code: string;
  readonly pending: PendingRegistration;
  readonly policy: LoginPolicy;
  /** The sign-in in which it was requested, if it is in progress in this browser. */
  readonly signInVisit: SignInVisit | undefined;
}

/** The link in the email. It leads to the page in the sign-in, whose cookies the browser sends only there. */
export const REGISTRATION_ROUTES: PageRoutes<SignInParts> = {
  [REGISTRATION_PATH]: {
    async get(parts, visit) {
      const code = visit.request.query.get("code") ?? "";
      const found = await openCode(parts, visit, code);
      return "status" in found ? found : toLink({ ...found, code });
    },
  },
};

/** The page of the link. It changes nothing. */
export async function showFinish(
  parts: SignInParts,
  visit: Visit,
  signInId: string,
  signInVisit?: SignInVisit,
): Promise<PageResponse> {
  const { query } = visit.request;
  const opened = await openRegistration(parts, visit, signInId, query.get("code") ?? "", signInVisit);
  if ("status" in opened) return opened;
  const { pending } = opened;
  const values = readPerson(query, pending);
  // Other names are looked up only by `submitFinish`, which limits how many.
  const obstacle = findObstacle(await findRegistrationState(parts, pending, pending.email, visit.caller));
  if (obstacle !== undefined && obstacle.kind !== "name-taken") return await showObstacle(parts, opened, obstacle);
  const isTaken = obstacle !== undefined && values.userName === pending.email;
  const error = readError(parts, query) ?? (isTaken ? "taken" : undefined);
  return inOrg(pending.orgId, finishPage(opened.visit, pending, await toForm(parts, opened, values, error)));
}

/** Registers the user. In the browser in which the registration was requested, the sign-in continues. */
export async function submitFinish(
  parts: SignInParts,
  visit: Visit,
  signInId: string,
  form: URLSearchParams,
  signInVisit?: SignInVisit,
): Promise<StepResult> {
  const code = form.get("code") ?? "";
  const opened = await openRegistration(parts, visit, signInId, code, signInVisit);
  // Opened by GET, it says why the link cannot be used.
  if ("status" in opened) return toLink({ signInId, code, appId: visit.request.query.get("app") ?? "" });
  const { pending } = opened;
  const person = readPerson(form, pending);
  const checked = checkPerson(pending, person);
  if (!checked.ok) return toError(opened, person, checked.invalid);
  const { human } = checked;
  const passkey = form.get("passkey");
  const created =
    passkey === null
      ? await registerWithPassword(parts, opened, human, form)
      : await registerWithPasskey(parts, opened, human, passkey);
  if ("error" in created) return toError(opened, person, created.error);
  const { outcome, methods } = created;
  const link = { signInId, code, appId: pending.appId };
  switch (outcome.kind) {
    case "name-taken": {
      // It reveals that there is a user with this name.
      const retrySeconds = await parts.limit.countFailure(visit.request.address, visit.caller);
      return retrySeconds === undefined
        ? toError(opened, person, "taken")
        : problemPage("too-many", visit, { retrySeconds });
    }
    case "passkey-taken":
      return toError(opened, person, "refused");
    case "used":
    case "address-taken":
      return toLink(link);
    case "registered":
      parts.metrics?.signInChecked(passkey === null ? "password" : "passkey", "success");
      return opened.signInVisit === undefined
        ? withCookies(toLink(link), [STEP_COOKIE.header(parts, pending.orgId)])
        : { user: outcome.user, proved: { methods, remember: false }, visit: opened.signInVisit };
    default:
      return outcome satisfies never;
  }
}

/** Opens the link, or returns the page that says why it cannot be used. */
async function openRegistration(
  parts: SignInParts,
  visit: Visit,
  signInId: string,
  code: string,
  signInVisit: SignInVisit | undefined,
): Promise<OpenedRegistration | PageResponse> {
  const pending = await openCode(parts, visit, code, signInVisit);
  if ("status" in pending) return pending;
  const { caller } = visit;
  const { orgId } = pending;
  if (pending.signInId !== signInId) return await showOver(parts, visit, signInVisit);
  const language = await findLanguage(parts.brandings, pending.language, orgId, caller);
  const found = { ...visit, language };
  const isHere = signInVisit?.signIn.org.id === orgId && offersRegistration(parts, signInVisit.signIn);
  const here = isHere ? { ...signInVisit, language, hasDeclinedPasskey: true } : undefined;
  const policy = here?.signIn.policy ?? (await findLoginPolicy(parts, orgId, caller));
  if (!canRegister(parts, policy)) return inOrg(orgId, await showOver(parts, found, signInVisit));
  return { visit: found, signInId, code, pending, policy, signInVisit: here };
}

async function openCode(
  parts: SignInParts,
  visit: Visit,
  code: string,
  signInVisit?: SignInVisit,
): Promise<LinkedRegistration | PageResponse> {
  const find = () => findRegistration(parts, code, visit.caller);
  return await findLimited(parts, visit, find, () => showOver(parts, visit, signInVisit));
}

async function showOver(parts: SignInParts, visit: Visit, signInVisit: SignInVisit | undefined): Promise<PageResponse> {
  const here =
    signInVisit && stepPath(signInVisit.signIn, offersRegistration(parts, signInVisit.signIn) ? "register" : "signIn");
  return linkOverPage(visit, here ?? (await findRestart(parts, visit))?.url);
}

async function showObstacle(
  parts: SignInParts,
  { visit, pending }: OpenedRegistration,
  { kind }: RegisterOutcome,
): Promise<PageResponse> {
  const page =
    kind === "used" ? readyPage(visit, pending, await findRestart(parts, visit)) : addressTakenPage(visit, pending);
  return inOrg(pending.orgId, page);
}

type Created =
  | { readonly outcome: RegisterOutcome; readonly methods: readonly string[] }
  | { readonly error: FinishErrorName };

/** The error as in the URL of the page. */
type FinishErrorName = Exclude<FinishError, object> | Extract<FinishError, object>["error"];

/** One password for a link is hashed at a time, and none after the link was used. */
async function registerWithPassword(
  parts: SignInParts,
  { pending, policy, visit: { caller } }: OpenedRegistration,
  human: NewUser["human"],
  form: URLSearchParams,
): Promise<Created> {
  const password = form.get("password") ?? "";
  if (!policy.allowUsernamePassword) return { error: "missing" };
  const refused = checkNewPassword(parts.config, human, password, form.get("repeat") ?? "");
  if (refused !== undefined) return { error: refused.error };
  return await parts.serializeHashing(pending.userId, async () => {
    const obstacle = findObstacle(await findRegistrationState(parts, pending, human.userName, caller));
    if (obstacle !== undefined) return { outcome: obstacle, methods: [] };
    const turn = { kind: "page", orgId: pending.orgId } as const;
    const passwordHash = await parts.passwords.hash(password, { turn, ...caller });
    caller.throwIfOver();
    const outcome = await registerUser(parts, pending, { human, passwordHash }, caller);
    return { outcome, methods: ["pwd"] };
  });
}

/** @param json A `RegistrationResponseJSON` (WebAuthn). */
async function registerWithPasskey(
  parts: SignInParts,
  { pending, policy, signInId, visit: { caller } }: OpenedRegistration,
  human: NewUser["human"],
  json: string,
): Promise<Created> {
  if (!canRegisterPasskey(parts, policy)) return { error: "refused" };
  const passkey = await readPasskey(parts, toSubject(signInId, pending), json, caller);
  if (passkey === undefined) return { error: "refused" };
  const outcome = await registerUser(parts, pending, { human, passwordHash: null, passkey: toRow(passkey) }, caller);
  return { outcome, methods: toMethods(passkey) };
}

async function readPasskey(
  { config, passkeyChallenges }: SignInParts,
  subject: string,
  json: string,
  caller: Visit["caller"],
): Promise<NewPasskey | undefined> {
  const response = readResponse(CREATED, json);
  if (response === undefined) return undefined;
  const challenge = readClientData(response)?.challenge;
  if (typeof challenge !== "string" || !(await passkeyChallenges.use(subject, challenge, caller))) return undefined;
  return await verifyPasskey(response, challenge, toRelyingParty(config));
}

function toRow({ id, publicKey, counter, transports, aaguid, deviceType, backedUp }: NewPasskey): PasskeyToInsert {
  return {
    ...{ id, public_key: publicKey.toString("base64"), counter, transports, aaguid },
    ...{ device_type: deviceType, backed_up: backedUp, name: "Passkey 1", user_handle: null },
  };
}

/** The subject of the challenges: a challenge is valid for one registration. */
function toSubject(signInId: string, { userId }: PendingRegistration): string {
  return `${signInId} ${userId}`;
}

async function toForm(
  parts: SignInParts,
  { signInId, code, pending, policy, signInVisit, visit }: OpenedRegistration,
  values: PersonFields,
  error: FinishError | undefined,
) {
  const { appId } = pending;
  return {
    action: stepPath({ id: signInId, app: { id: appId } }, "register"),
    code,
    token: signInVisit && parts.formTokens.create(signInId),
    values,
    error,
    allowsPassword: policy.allowUsernamePassword,
    passkeyOptions: canRegisterPasskey(parts, policy)
      ? await toPasskeyOptions(parts, signInId, pending, visit.caller)
      : undefined,
  };
}

async function toPasskeyOptions(
  parts: SignInParts,
  signInId: string,
  pending: PendingRegistration,
  caller: Visit["caller"],
): Promise<PublicKeyCredentialCreationOptionsJSON> {
  const { userId, email } = pending;
  const rpName = await findServiceName(parts, pending.orgId, caller);
  const challenge = Buffer.from(parts.passkeyChallenges.create(toSubject(signInId, pending)), "base64url");
  const user = { userId, userName: email, displayName: email, passkeys: [] };
  return await createPasskeyOptions({ rpId: parts.config.webauthnRpId, rpName }, { challenge, ...user });
}

/** The user name is the address, unless that is taken. */
function readPerson(form: URLSearchParams, { email }: PendingRegistration): PersonFields {
  const read = (name: keyof PersonFields) => trimText(form.get(name) ?? "");
  return {
    userName: form.has("userName") ? read("userName") : email,
    firstName: read("firstName"),
    lastName: read("lastName"),
  };
}

/** Redirects to the page of the link, so that neither a reload nor the back button sends the form again. */
function toLink(
  { signInId, code, appId }: { readonly signInId: string; readonly code: string; readonly appId: string },
  parameters: Readonly<Record<string, string>> = {},
): PageResponse {
  const path = stepPath({ id: signInId, app: { id: appId } }, "register");
  return redirect(`${path}&${new URLSearchParams({ code, ...parameters })}`);
}

function toError(
  { signInId, code, pending: { email, appId } }: OpenedRegistration,
  { userName, ...names }: PersonFields,
  error: FinishErrorName,
): PageResponse {
  return toLink({ signInId, code, appId }, { error, ...names, ...(userName !== email && { userName }) });
}

function readError(parts: SignInParts, query: URLSearchParams): FinishError | undefined {
  const error = query.get("error");
  switch (error) {
    case "firstName":
    case "lastName":
    case "userName":
    case "foreignAddress":
    case "taken":
    case "refused":
      return error;
    default:
      return readPasswordError(parts.config, query);
  }
}
