import { type Html, html } from "../../messages/html.ts";
import type { Language } from "../../messages/languages.ts";
import { PASSKEY_TEXTS } from "./texts/passkey-texts.ts";

/**
 * The button that creates a passkey, with the texts that PASSKEY_SCRIPT shows.
 *
 * @param code The code of the link, if the URL of the page does not contain it.
 */
export function passkeyCeremony(language: Language, code?: string): Html {
  const { create, needsScript, outcomes } = PASSKEY_TEXTS[language];
  return html`<noscript><p class="error">${needsScript}</p></noscript>
<form id="ceremony"${code !== undefined && html` data-code="${code}"`}>
<template>
${Object.entries(outcomes).map(([outcome, text]) => html`<p data-outcome="${outcome}">${text}</p>\n`)}</template>
<p role="status"></p>
<p role="alert" class="error"></p>
<button type="button" hidden>${create}</button>
</form>`;
}
