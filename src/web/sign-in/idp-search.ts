import { type Html, html } from "../../html.ts";
import { field } from "../frame/field.ts";
import type { PageRequest } from "../frame/page.ts";
import type { SignInVisit } from "./sign-in-parts.ts";
import { SIGN_IN_PREFIX } from "./steps.ts";

/** Fewer buttons are found at a glance. */
const SEARCHED_FROM = 8;
/** The parameter in the URL of the sign-in page. */
const NAME = "provider";
/** Of a name. */
const LONGEST = 200;

/** The part of a name in the URL of the page; empty if there is none. */
export function readIdpSearch({ query }: PageRequest): string {
  return (query.get(NAME) ?? "").trim().slice(0, LONGEST);
}

/** The form that searches for a provider by its name, if there are many. It works without a script. */
export function idpSearchForm({ signIn, language, idps, idpSearch }: SignInVisit): Html | undefined {
  if (idps.length < SEARCHED_FROM) return undefined;
  const { label, submit, none } = language.texts.signIn.idp.search;
  return html`<form class="search" role="search" action="${SIGN_IN_PREFIX}${signIn.id}">
<input type="hidden" name="app" value="${signIn.app.id}">
${field({ name: NAME, label, attributes: html`type="search" value="${idpSearch?.text}" autocomplete="off"` })}
<button class="secondary">${submit}</button>
</form>
${idpSearch?.found.length === 0 && html`<p role="status">${none}</p>`}`;
}
