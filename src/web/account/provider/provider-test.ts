import { findConsolePermissions } from "../../../access/console-permissions.ts";
import { isDraft } from "../../../idps/draft.ts";
import { findTestedIdp, type TestedIdp } from "../../../idps/find-sign-in-idp.ts";
import type { Permission } from "../../../roles.ts";
import { receiveExternalUser } from "../../../sign-in/provider/external-user.ts";
import type { UsedAttempt } from "../../../sign-in/provider/idp-attempts.ts";
import { openClientSecret } from "../../../sign-in/provider/idp-clients.ts";
import { previewSignIn } from "../../../sign-in/provider/preview-sign-in.ts";
import { runInSpan } from "../../../telemetry/span-scope.ts";
import { TEST_PATH, TEST_RESULT_PATH } from "../../frame/account-app.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import { problemPage } from "../../frame/problem-page.ts";
import { explainIdpFailure } from "../../sign-in/provider/idp-failure.ts";
import { readName, redeemAttempt, redirectToProvider, useAttempt } from "../../sign-in/provider/idp-request.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute } from "../account-step.ts";
import { failedTestPage, testPage, testResultPage } from "./provider-test-pages.ts";

/**
 * A test sign-in at a provider, for those who may change it, also before it is offered. It shows what the provider says
 * and what a sign-in would do, and does none of it.
 *
 * The attempt belongs to the session of the browser, and only this page can complete it: its subject is that of no
 * sign-in and of no link, and nonce and code verifier come from its own secret. So the response can neither sign in nor
 * link anybody, and no response to a sign-in is shown here.
 */
export const PROVIDER_TEST_ROUTES: PageRoutes<AccountParts> = {
  [TEST_PATH]: accountRoute({
    isSensitive: false,
    show: (parts, visit) => inTest(parts, visit, (tested) => testPage(parts, visit, tested.idp)),
    submit: (parts, visit) => inTest(parts, visit, (tested) => begin(parts, visit, tested)),
  }),
  [TEST_RESULT_PATH]: accountRoute({
    isSensitive: false,
    show: (parts, visit) => inTest(parts, visit, (tested) => complete(parts, visit, tested)),
  }),
};

interface Tested {
  readonly idp: TestedIdp;
  /** Of the person, in the organization of the provider or in the instance. */
  readonly permissions: readonly Permission[];
}

/** Who lacks the permission to change the provider learns as little as for an unknown id. */
async function inTest(
  parts: AccountParts,
  visit: AccountVisit,
  act: (tested: Tested) => PageResponse | Promise<PageResponse>,
): Promise<PageResponse> {
  const { request, session, account, caller } = visit;
  const idp = await findTestedIdp(parts, request.query.get("idp") ?? "", caller);
  if (idp === undefined) return problemPage("not-found", visit);
  const user = { orgId: account.orgId, userId: account.id, isOfOrgIdp: session.isOfOrgIdp };
  const permissions = await findConsolePermissions(parts.db, user, idp.ownerId, caller);
  const needed = idp.isOfInstance ? "iam.idp.write" : "org.idp.write";
  if (!permissions.includes(needed)) return problemPage("not-found", visit);
  try {
    return await runInSpan(caller.span, async () => await act({ idp, permissions }));
  } catch (error) {
    const secrets = [openClientSecret(parts.keyring, idp), request.query.get("code") ?? ""];
    const problem = explainIdpFailure(error, secrets);
    if (problem === undefined) throw error;
    return failedTestPage(visit, idp, problem);
  }
}

/** Whether the account at the provider is the right one is the person's choice. */
const HINTS = { mustAuthenticate: false, maxAge: undefined, loginHint: undefined };

async function begin(parts: AccountParts, visit: AccountVisit, { idp }: Tested): Promise<PageResponse> {
  if (isDraft({ kind: idp.kind, client_id: idp.clientId, issuer: idp.issuer })) return testPage(parts, visit, idp);
  const state = { signInId: "", appId: "", isTest: true } as const;
  return await redirectToProvider(
    parts,
    idp,
    { subject: toSubject(visit), state, remember: false, hints: HINTS },
    visit,
  );
}

async function complete(parts: AccountParts, visit: AccountVisit, tested: Tested): Promise<PageResponse> {
  const attempt = await useAttempt(parts, visit, { subject: toSubject(visit), idpId: tested.idp.id });
  if (attempt === undefined) return failedTestPage(visit, tested.idp, visit.language.texts.providerTest.over);
  return await showResult(parts, visit, tested, attempt);
}

async function showResult(
  parts: AccountParts,
  visit: AccountVisit,
  { idp, permissions }: Tested,
  attempt: UsedAttempt,
): Promise<PageResponse> {
  const { account, caller } = visit;
  const { client, redeemed } = await redeemAttempt(parts, visit, idp, attempt);
  const received = await receiveExternalUser(client, redeemed, readName(parts, visit, idp));
  // Users of any organization can sign in with a provider of the instance. The person's own one stands for it.
  const orgId = idp.isOfInstance ? account.orgId : idp.ownerId;
  const preview = await previewSignIn(parts, { orgId, idp }, received.user, caller);
  return testResultPage(visit, idp, { ...received, preview, mayReadUsers: permissions.includes("user.read") });
}

/** Takes the place of the id of a sign-in, none of which has this form. */
function toSubject({ session }: AccountVisit): string {
  return `test ${session.id}`;
}
