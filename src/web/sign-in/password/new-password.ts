import { html } from "../../../html.ts";
import { LONGEST_PASSWORD } from "../../../passwords/policy.ts";
import type { SignInUser } from "../../../sign-in/find-sign-in-user.ts";
import { changePassword } from "../../../sign-in/password/change-password.ts";
import { lacksOwnProof } from "../../../sign-in/proof.ts";
import { detailsList } from "../../frame/details-list.ts";
import { PASSWORD_FIELD_SCRIPT } from "../../frame/field.ts";
import type { PageResponse } from "../../frame/page.ts";
import { checkNewPassword, newPasswordFields, type RefusedPassword } from "../../links/new-password-fields.ts";
import { askAgain, askForOwnProof } from "../first-page/first-page.ts";
import { gateFields } from "../gate-form.ts";
import type { GateStep, ProvedUser, SignInParts, SignInVisit } from "../sign-in-parts.ts";
import { stepPage } from "../step-page.ts";
import { stepPath } from "../steps.ts";

/** The form for a user whose password must be changed. */
export async function askForNewPassword(
  parts: SignInParts,
  visit: SignInVisit,
  at: ProvedUser,
  refused?: RefusedPassword,
): Promise<PageResponse> {
  const { user, proved } = at;
  if (lacksOwnProof(proved, user)) return await askForOwnProof(parts, visit);
  const { signIn, language } = visit;
  const { newPassword, userName } = language.texts.signIn;
  return stepPage(language, {
    status: refused === undefined ? 200 : 422,
    title: newPassword.title,
    scripts: [PASSWORD_FIELD_SCRIPT],
    content: html`<p>${newPassword.text}</p>
${detailsList([[userName, user.userName]])}
<form method="post" action="${stepPath(signIn, "change-password")}">
${gateFields(parts, visit, at)}
${newPasswordFields(user, language, { isRequired: true, refused })}
<button>${newPassword.submit}</button>
</form>`,
  });
}

export const setNewPassword: GateStep["answer"] = async (parts, visit, at, form) => {
  const { user, proved } = at;
  if (lacksOwnProof(proved, user)) return await askForOwnProof(parts, visit);
  const password = form.get("password") ?? "";
  const refused =
    checkNewPassword(parts.config, user, password, form.get("repeat") ?? "") ??
    (await findUnchanged(parts, visit, user, password));
  if (refused !== undefined) return await askForNewPassword(parts, visit, at, refused);
  const kept = { signInId: visit.signIn.id };
  const changed = await changePassword(parts, user, password, kept, visit.caller);
  return changed === undefined ? await askAgain(parts, visit) : { user: changed, proved };
};

async function findUnchanged(
  { config, passwords }: SignInParts,
  { caller }: SignInVisit,
  { orgId, passwordHash }: SignInUser,
  password: string,
): Promise<RefusedPassword | undefined> {
  const turn = { kind: "page", orgId } as const;
  const { matches } = await passwords.verify(password, passwordHash, { turn, ...caller });
  return matches ? { error: "unchanged", longestPassword: LONGEST_PASSWORD[config.passwordHash] } : undefined;
}
