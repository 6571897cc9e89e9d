import type { CodeState, CodeUser } from "../../codes/find-code.ts";
import { type Html, html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import type { PageResponse } from "../frame/page.ts";
import { renderPage, SIGNS } from "../frame/render-page.ts";
import { PASSKEY_SCRIPT } from "./passkey-script.ts";
import { PASSKEY_TEXTS } from "./texts/passkey-texts.ts";

/** A link that was right once has gone: unlike one that never was. */
export const LINK_OVER = 410;

/** The page on which a user makes a passkey. What its script shows later lies in templates, in the user's language. */
export function passkeyPage(user: CodeUser, language: Language): PageResponse {
  const { title, intro, account, userName, create, hint, needsScript, outcomes, done } = PASSKEY_TEXTS[language];
  return renderPage({
    language,
    title,
    script: PASSKEY_SCRIPT.address,
    content: html`<template id="done"><h1>${SIGNS.done}${done.title}</h1><p>${done.text}</p></template>
<p data-before>${intro}</p>
<dl data-before>
${user.displayName !== "" && toTerm(account, user.displayName)}
${toTerm(userName, user.userName)}
</dl>
<noscript><p class="error">${needsScript}</p></noscript>
<form id="ceremony">
<template>
${Object.entries(outcomes).map(([outcome, text]) => html`<p data-outcome="${outcome}">${text}</p>\n`)}</template>
<p role="status"></p>
<p role="alert" class="error"></p>
<button type="button" hidden>${create}</button>
</form>
<p data-before class="small">${hint}</p>`,
  });
}

/** The page for a link whose code cannot be used any more. */
export function passkeyOverPage(state: CodeState, language: Language): PageResponse {
  const { title, text } = linkOverText(state, language);
  return renderPage({ status: LINK_OVER, language, title, mood: "problem", content: html`<p>${text}</p>` });
}

/** Why a code cannot be used any more. */
export function linkOverText(state: CodeState, language: Language): { title: string; text: string } {
  const texts = PASSKEY_TEXTS[language];
  switch (state) {
    case "used":
    case "replaced":
      return texts[state];
    // A code that proves nothing is never outdated; one that was valid a moment ago has expired meanwhile.
    case "expired":
    case "outdated":
    case "valid":
      return texts.expired;
    default:
      return state satisfies never;
  }
}

function toTerm(term: string, description: string): Html {
  return html`<dt>${term}</dt>
<dd>${description}</dd>`;
}
