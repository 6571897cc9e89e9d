import { SignetError } from "../../errors.ts";
import { toOwnCall } from "../../sign-in/own-call.ts";
import { removeIdpLink } from "../../users/change/remove-idp-link.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageResponse, PageRoutes } from "../frame/page.ts";
import type { AccountParts, AccountVisit } from "./account-parts.ts";
import { accountRoute, type FormProblem } from "./account-step.ts";
import { formPage } from "./form-page.ts";
import { done } from "./notice.ts";
import { PATHS, withQuery } from "./paths.ts";
import { showAccount } from "./show-account.ts";

/** Removes links to providers. */
export const LINK_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.unlink]: accountRoute({ isSensitive: true, show: showUnlink, submit: unlink }),
};

/** The link in the query of a page. */
function readLink({ request }: AccountVisit) {
  return { idpId: request.query.get("idp") ?? "", linkedUserId: request.query.get("external") ?? "" };
}

function showUnlink(
  parts: AccountParts,
  visit: AccountVisit,
  problem?: FormProblem,
): PageResponse | Promise<PageResponse> {
  const { language, account } = visit;
  const { idpId, linkedUserId } = readLink(visit);
  const link = account.idpLinks.find((known) => known.idpId === idpId && known.externalUserId === linkedUserId);
  if (link === undefined) return showAccount(parts, visit, { text: language.texts.account.stale });
  const texts = language.texts.accountForms.unlink;
  const fields = detailsList([[link.idpName, link.displayName || linkedUserId]]);
  const action = withQuery(PATHS.unlink, { idp: idpId, external: linkedUserId });
  return formPage(parts, visit, { action, texts, fields, isDangerous: true, problem });
}

async function unlink(parts: AccountParts, visit: AccountVisit): Promise<PageResponse> {
  const { language, session, account, caller } = visit;
  try {
    const link = { userId: account.id, ...readLink(visit) };
    await removeIdpLink(parts, link, toOwnCall(account, caller, session.id));
    return done(parts, "unlinked");
  } catch (error) {
    const reason = error instanceof SignetError ? error.reason : undefined;
    const { stale, onlyWay } = language.texts.account;
    if (reason === "IDP_LINK_NOT_FOUND") return await showAccount(parts, visit, { text: stale });
    if (reason === "ONLY_WAY_IN") return await showAccount(parts, visit, { text: onlyWay });
    throw error;
  }
}
