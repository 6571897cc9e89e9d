import { toProfile } from "../../../database/profile.ts";
import { html } from "../../../html.ts";
import { toOwnCall } from "../../../sign-in/own-call.ts";
import { LANGUAGES } from "../../../texts/languages.ts";
import { checkUpdateHumanProfile, updateHumanProfile } from "../../../users/change/update-human-profile.ts";
import { done } from "../../frame/notice.ts";
import type { PageResponse, PageRoutes } from "../../frame/page.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { accountRoute, type FormProblem } from "../account-step.ts";
import { languageName } from "../first-page/account-rows.ts";
import { formPage } from "../form-page.ts";
import { PATHS } from "../paths.ts";

/** `/ui/account/language`: changes the language of pages and messages. */
export const LANGUAGE_ROUTES: PageRoutes<AccountParts> = {
  [PATHS.language]: accountRoute({ isSensitive: false, show, submit: change }),
};

/** The tag of the option for the language of the browser. */
const OF_BROWSER = "";

/** The tags of the options: those with texts, and the one that the user has. */
function tagsOf({ account }: AccountVisit): readonly string[] {
  const { preferred_language: own } = account;
  return [...new Set([OF_BROWSER, ...(own === null ? [] : [own]), ...LANGUAGES])];
}

function show(parts: AccountParts, visit: AccountVisit, problem?: FormProblem): PageResponse {
  const { language, account } = visit;
  const texts = language.texts.accountForms.language;
  const current = account.preferred_language ?? OF_BROWSER;
  const options = tagsOf(visit).map(
    (tag) =>
      html`<option value="${tag}"${tag === current && html` selected`}${tag !== OF_BROWSER && html` lang="${tag}"`}>${tag === OF_BROWSER ? language.texts.account.browserLanguage : nameOf(tag)}</option>\n`,
  );
  const fields = html`<div class="field">
<label for="language">${texts.label}</label>
<div class="control"><select id="language" name="language">
${options}</select></div>
</div>`;
  return formPage(parts, visit, { action: PATHS.language, texts, fields, problem });
}

/** The name of a language in that language, so that its speakers recognize it. */
function nameOf(tag: string): string {
  const own = LANGUAGES.find((language) => language === tag);
  return languageName(own ?? "en", tag) ?? tag;
}

async function change(parts: AccountParts, visit: AccountVisit, form: URLSearchParams): Promise<PageResponse> {
  const { language, account, caller } = visit;
  const preferredLanguage = form.get("language") ?? "";
  // Only the options of the page.
  if (!tagsOf(visit).includes(preferredLanguage)) {
    return show(parts, visit, { text: language.texts.account.stale });
  }
  const fields = { ...toProfile(account), preferredLanguage };
  const checked = checkUpdateHumanProfile({ userId: account.id, ...fields }, { add() {} });
  await updateHumanProfile(parts, checked, toOwnCall(account, caller));
  return done(parts, "language-changed");
}
