import { type Html, html } from "../../html.ts";
import type { PageLanguage } from "../../texts/page-language.ts";

/**
 * The button that creates a passkey, with the texts that PASSKEY_SCRIPT shows.
 *
 * @param begun The code of the link, if the URL of the page does not contain it: the user has just asked for a passkey,
 *   so the script starts at once, and the button is for another try.
 */
export function passkeyCeremony(language: PageLanguage, begun?: { readonly code: string }): Html {
  const { create, needsScript, outcomes } = language.texts.links.passkey;
  return html`<noscript><p class="error">${needsScript}</p></noscript>
<form id="ceremony"${begun !== undefined && html` data-code="${begun.code}"`}>
<template>
${Object.entries(outcomes).map(([outcome, text]) => html`<p data-outcome="${outcome}">${text}</p>\n`)}</template>
<p role="status"></p>
<p role="alert" class="error"></p>
<button type="button" hidden>${create}</button>
</form>`;
}
