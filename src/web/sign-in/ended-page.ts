import { findApp } from "../../apps/find-app.ts";
import { html } from "../../html.ts";
import { fillIn } from "../../texts/placeholders.ts";
import { ACCOUNT_APP, ACCOUNT_PATH, accountAppName } from "../frame/account-app.ts";
import { findBranding } from "../frame/find-branding.ts";
import { note } from "../frame/note.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import { renderInBranding } from "../frame/render-page.ts";
import type { SignInParts } from "./sign-in-parts.ts";

/** The page of a sign-in that has ended, or was started in a different browser. */
export function endedPage({ language }: Pick<Visit, "language">, restart: Restart | undefined): PageResponse {
  return renderInBranding(language.tag, ({ texts }) => {
    const { ended } = texts.signIn;
    const next =
      restart === undefined
        ? html`<p>${ended.noApp}</p>`
        : html`<p><a class="button" href="${restart.url}">${fillIn(ended.startAgain, { app: restart.name })}</a></p>`;
    return note(ended, { status: 410, icon: "problem", next });
  });
}

/** The URL at which the user can start again, if the application is known. */
export interface Restart {
  readonly name: string;
  readonly url: string;
}

/** Where the user can start again after the sign-in of an application has ended. */
export async function findRestart(parts: SignInParts, { request, caller }: Visit): Promise<Restart | undefined> {
  const id = request.query.get("app") ?? "";
  if (id === ACCOUNT_APP.id) {
    const { label } = await findBranding(parts.brandings, undefined, caller);
    return { name: accountAppName(label, parts.config.publicUrl), url: ACCOUNT_PATH };
  }
  caller.throwIfOver();
  const app = await findApp(parts.runTogether, id);
  const url = app?.redirectUris.map((uri) => URL.parse(uri)).find((parsed) => /^https?:$/.test(parsed?.protocol ?? ""));
  return app && url ? { name: app.name, url: `${url.origin}/` } : undefined;
}
