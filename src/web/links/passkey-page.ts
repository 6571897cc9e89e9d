import type { CodeState, FoundCode } from "../../codes/find-code.ts";
import { html } from "../../html.ts";
import type { PageLanguage, TitledText } from "../../texts/page-language.ts";
import { detailsList } from "../frame/details-list.ts";
import type { PageResponse } from "../frame/page.ts";
import { ICONS, renderPage } from "../frame/render-page.ts";
import { signInLink } from "../frame/sign-in-link.ts";
import { PASSKEY_SCRIPT, passkeyCeremony } from "./passkey-ceremony.ts";

/** The status for a previously valid link. */
export const LINK_GONE = 410;

/** The page on which a user creates a passkey. The texts that its script shows are in templates of the page. */
export function passkeyPage({ user, orgId }: FoundCode, language: PageLanguage): PageResponse {
  const { title, intro, account, userName, hint, done } = language.texts.links.passkey;
  return renderPage({
    language,
    title,
    scripts: [PASSKEY_SCRIPT],
    content: html`<template id="done"><h1>${ICONS.done}${done.title}</h1><p>${done.text}</p>${user.hasPassword && signInLink(language, orgId)}</template>
<p data-before>${intro}</p>
<div data-before>
${detailsList([
  [account, user.displayName],
  [userName, user.userName],
])}
</div>
${passkeyCeremony(language)}
<p data-before class="small">${hint}</p>`,
  });
}

/** The page for a link whose code can no longer be used. */
export function unusablePasskeyLinkPage({ state, orgId }: FoundCode, language: PageLanguage): PageResponse {
  const { title, text } = explainUnusable(state, language);
  const content = html`<p>${text}</p>
${signInLink(language, orgId)}`;
  return renderPage({ status: LINK_GONE, language, title, icon: "problem", content });
}

/** The reason why a code can no longer be used. */
export function explainUnusable(state: CodeState, language: PageLanguage): TitledText {
  const texts = language.texts.links.passkey;
  switch (state) {
    case "used":
    case "replaced":
      return texts[state];
    // The code of a passkey link is never outdated, and `openLink` rejects codes of blocked users. A code that is still
    // valid here has expired in the meantime.
    case "expired":
    case "outdated":
    case "blocked":
    case "valid":
      return texts.expired;
    default:
      return state satisfies never;
  }
}
