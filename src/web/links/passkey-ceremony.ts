import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import { type Html, html } from "../../html.ts";
import type { PageLanguage } from "../../texts/page-language.ts";
import { type Asset, createAsset } from "../frame/asset.ts";

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
${ceremonyState(outcomes)}
<button type="button" hidden>${create}</button>
</form>`;
}

type Outcomes = Readonly<Record<string, string>>;

/** The texts that a script of passkeys shows, and where it shows them. */
export function ceremonyState(outcomes: Outcomes): Html {
  return html`${ceremonyTexts(outcomes)}
<p role="status"></p>
<p role="alert" class="error"></p>`;
}

export function ceremonyTexts(outcomes: Outcomes): Html {
  return html`<template>
${Object.entries(outcomes).map(([outcome, text]) => html`<p data-outcome="${outcome}">${text}</p>\n`)}</template>`;
}

/** The script of the page that registers a passkey. */
export const PASSKEY_SCRIPT = createPasskeyScript("/ui/passkey.js", new URL("./passkey-client.js", import.meta.url));

/**
 * Creates a script that consists of the bundle of @simplewebauthn/browser and a file. The bundle supports browsers that
 * cannot convert options and responses to and from JSON (Safari before 18.4, Chrome before 129).
 *
 * @param path The path of the script, below `/ui/`.
 * @param file The file after the bundle.
 */
export function createPasskeyScript(path: string, file: URL): Asset {
  return createAsset({
    path,
    type: "text/javascript",
    text: [
      "// @simplewebauthn/browser, copyright Matthew Miller, MIT license.\n",
      readFileSync(new URL("../dist/bundle/index.umd.min.js", packageEntry("@simplewebauthn/browser")), "utf8"),
      "\n",
      readFileSync(file, "utf8"),
    ].join(""),
  });
}

/** The package exports only its entry; the bundle is in a folder next to it. */
function packageEntry(name: string): URL {
  return pathToFileURL(createRequire(import.meta.url).resolve(name));
}
