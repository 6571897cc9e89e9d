import { mapProfile, type ProfileFields, toProfile } from "../../../database/profile.ts";
import type { Problems } from "../../../errors.ts";
import { trimText } from "../../../fields/trim-text.ts";
import { html } from "../../../html.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { checkUpdateHumanProfile, updateHumanProfile } from "../../../users/change/update-human-profile.ts";
import { field } from "../../frame/field.ts";
import { done } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { formPage, problemOf } from "../form-page.ts";
import { PATHS } from "../paths.ts";

/** `/ui/account/name`: changes the user's names. */
export const NAME_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.name]: accountRoute({ isSensitive: false, show, submit: change }),
};

const FIELDS = { firstName: "given-name", lastName: "family-name", displayName: "name" } as const;
type Field = keyof typeof FIELDS;
const NAMES = Object.keys(FIELDS) as readonly Field[];

function show(parts: AccountParts, visit: AccountVisit, problem?: FormProblem, form?: URLSearchParams): PageResponse {
  const texts = visit.language.texts.accountForms.name;
  const stored = toProfile(visit.account);
  const isRequired = (name: Field) => name !== "displayName";
  const fields = NAMES.map((name) =>
    field({
      name,
      label: texts[name],
      ...(name === "displayName" && { hint: texts.displayNameHint }),
      error: problemOf(problem, name),
      attributes: html`type="text" value="${form?.get(name) ?? stored[name]}" autocomplete="${FIELDS[name]}"${isRequired(name) && html` required`}`,
    }),
  );
  return formPage(parts, visit, { action: PATHS.name, texts, fields: html`${fields}`, problem });
}

async function change(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, account, caller } = visit;
  const { missing, invalid } = language.texts.accountForms.name;
  const given = (name: Field) => trimText(form.get(name) ?? "");
  const empty = NAMES.find((name) => name !== "displayName" && given(name) === "");
  if (empty !== undefined) return show(parts, visit, { text: missing, field: empty }, form);
  const stored = toProfile(account);
  const fields = mapProfile<ProfileFields>((name) => (name in FIELDS ? given(name as Field) : stored[name]));
  const wrong: string[] = [];
  const problems: Problems = { add: (name) => wrong.push(name) };
  const checked = checkUpdateHumanProfile({ userId: account.id, ...fields }, problems);
  if (wrong[0] !== undefined) return show(parts, visit, { text: invalid, field: wrong[0] }, form);
  await updateHumanProfile(parts, checked, toOwnCall(account, caller));
  return done(parts, "name-changed");
}
