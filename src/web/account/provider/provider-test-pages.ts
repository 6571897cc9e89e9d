import { type Html, html } from "../../../html.ts";
import { isDraft } from "../../../idps/draft.ts";
import type { TestedIdp } from "../../../idps/find-sign-in-idp.ts";
import { suggestRegistration, toLinkName } from "../../../sign-in/provider/check-registration.ts";
import type { ExternalUser } from "../../../sign-in/provider/external-user.ts";
import type { Claims } from "../../../sign-in/provider/kinds/kind.ts";
import type { Preview } from "../../../sign-in/provider/preview-sign-in.ts";
import { fillIn } from "../../../texts/placeholders.ts";
import { TEST_PATH } from "../../frame/account-app.ts";
import { detailsList } from "../../frame/details-list.ts";
import type { PageResponse } from "../../frame/page.ts";
import { renderPage } from "../../frame/render-page.ts";
import type { AccountParts, AccountVisit } from "../account-parts.ts";
import { withQuery } from "../paths.ts";

type Visit = Pick<AccountVisit, "language">;

const toPath = ({ id }: TestedIdp) => withQuery(TEST_PATH, { idp: id });

/** Asks before the browser leaves for the provider. */
export function testPage(
  { formTokens }: AccountParts,
  { language, session }: AccountVisit,
  idp: TestedIdp,
): PageResponse {
  const { title, text, submit, draft } = language.texts.providerTest;
  const { name } = idp;
  const isWithoutSettings = isDraft({ kind: idp.kind, client_id: idp.clientId, issuer: idp.issuer });
  return renderPage({
    language,
    title: fillIn(title, { name }),
    leadsAway: true,
    content: isWithoutSettings
      ? html`<p>${draft}</p>`
      : html`<p>${fillIn(text, { name })}</p>
<form method="post" action="${toPath(idp)}">
<input type="hidden" name="token" value="${formTokens.create(session.id)}">
<button>${fillIn(submit, { name })}</button>
</form>`,
  });
}

/** Says why there is no result. */
export function failedTestPage({ language }: Visit, idp: TestedIdp, problem: string): PageResponse {
  const { failed, again } = language.texts.providerTest;
  return renderPage({
    status: 422,
    language,
    title: fillIn(failed, { name: idp.name }),
    icon: "problem",
    content: html`<p class="notice bad" role="alert">${problem}</p>
<p><a class="button" href="${toPath(idp)}">${again}</a></p>`,
  });
}

interface TestResult {
  readonly user: ExternalUser;
  readonly sources: readonly (readonly [source: string, claims: Claims])[];
  readonly preview: Preview;
  /** Whether the person may know which user would sign in. */
  readonly mayReadUsers: boolean;
}

export function testResultPage(
  { language }: Visit,
  idp: TestedIdp,
  { user, sources, preview, mayReadUsers }: TestResult,
): PageResponse {
  const { works, outcome, read, fields, again, asSent, ...texts } = language.texts.providerTest;
  const { name } = idp;
  const { userName, firstName, lastName, email } = suggestRegistration(idp, user);
  const address = email && fillIn(user.emailVerified ? texts.verified : texts.notVerified, { email });
  return renderPage({
    language,
    title: fillIn(works, { name }),
    icon: "done",
    isWide: true,
    content: html`<h2>${outcome}</h2>
${describe(language, preview, mayReadUsers).map((line) => html`<p>${line}</p>\n`)}
<h2>${read}</h2>
${detailsList([
  [fields.id, user.id],
  [fields.userName, userName],
  [fields.firstName, firstName],
  [fields.lastName, lastName],
  [fields.displayName, toLinkName(idp, user)],
  [fields.email, address],
  [fields.language, user.locale],
])}
${sources.map(([source, claims]) => html`<h2>${fillIn(asSent, { source })}</h2>\n${claimsList(claims, texts.more)}\n`)}
<p><a class="button" href="${toPath(idp)}">${again}</a></p>`,
  });
}

/** What a sign-in would do, and why no more. */
function describe({ texts }: AccountVisit["language"], preview: Preview, mayReadUsers: boolean): string[] {
  const { outcomes, problems, fields, someone } = texts.providerTest;
  const user = "user" in preview && mayReadUsers ? preview.user.userName : someone;
  switch (preview.kind) {
    case "not-allowed":
      return [outcomes.notAllowed];
    case "signs-in":
      return [fillIn(outcomes.signsIn, { user }), ...(preview.isUpdated ? [outcomes.updates] : [])];
    case "blocked":
      return [fillIn(outcomes.blocked, { user })];
    case "links":
      return [fillIn(outcomes.links, { user })];
    case "registers":
      return [outcomes.registers];
    case "asks": {
      const { mayLink, mayRegister, invalid, isForeignAddress, isNameTaken, isAddressTaken } = preview;
      if (!mayLink && !mayRegister) return [outcomes.refused];
      const names = [...invalid].map((field) => fields[field]).join(", ");
      return [
        mayLink && mayRegister ? outcomes.asksEither : mayLink ? outcomes.asksToLink : outcomes.asksToRegister,
        ...(mayRegister && names !== "" ? [fillIn(problems.missing, { fields: names })] : []),
        ...(mayRegister && isForeignAddress ? [problems.foreignAddress] : []),
        ...(mayRegister && isNameTaken && mayReadUsers ? [problems.nameTaken] : []),
        ...(mayRegister && isAddressTaken && mayReadUsers ? [problems.addressTaken] : []),
      ];
    }
    default:
      return preview satisfies never;
  }
}

/** A provider can send hundreds of KB. */
const MOST_CLAIMS = 100;
const LONGEST_VALUE = 1_000;

function claimsList(claims: Claims, more: AccountVisit["language"]["texts"]["providerTest"]["more"]): Html {
  const entries = Object.entries(claims);
  const shown = entries
    .slice(0, MOST_CLAIMS)
    .map(([name, value]) => [cut(name), html`<code>${toText(value)}</code>`] as const);
  const count = entries.length - shown.length;
  return html`${detailsList(shown)}
${count > 0 && html`<p>${fillIn(more, { count: String(count) })}</p>`}`;
}

function toText(value: unknown): string {
  return cut(typeof value === "string" ? value : (JSON.stringify(value) ?? ""));
}

function cut(text: string): string {
  return text.length > LONGEST_VALUE ? `${text.slice(0, LONGEST_VALUE).toWellFormed()} …` : text.toWellFormed();
}
