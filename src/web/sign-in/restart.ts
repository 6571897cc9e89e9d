import { findApp } from "../../apps/find-app.ts";
import { ACCOUNT_APP, ACCOUNT_PATH, accountAppName } from "../frame/account-app.ts";
import { findBranding } from "../frame/find-branding.ts";
import type { Visit } from "../frame/page.ts";
import type { SignInParts } from "./sign-in-parts.ts";

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
  const app = await findApp(parts.db, id);
  const url = app?.redirectUris.map((uri) => URL.parse(uri)).find((parsed) => /^https?:$/.test(parsed?.protocol ?? ""));
  return app && url ? { name: app.name, url: `${url.origin}/` } : undefined;
}
