import { findApp } from "../../apps/find-app.ts";
import { ACCOUNT_APP, ACCOUNT_PATH } from "../frame/account-app.ts";
import type { Visit } from "../frame/page.ts";
import type { SignInParts } from "./sign-in-parts.ts";

/** The URL at which the user can start again, if the application is known. */
export interface Restart {
  readonly name: string;
  readonly url: string;
}

/** Where the user can start again after the sign-in of an application has ended. */
export async function findRestart({ db }: SignInParts, { request, caller }: Visit): Promise<Restart | undefined> {
  const id = request.query.get("app") ?? "";
  if (id === ACCOUNT_APP.id) return { name: ACCOUNT_APP.name, url: ACCOUNT_PATH };
  caller.throwIfOver();
  const app = await findApp(db, id);
  const url = app?.redirectUris.map((uri) => URL.parse(uri)).find((parsed) => /^https?:$/.test(parsed?.protocol ?? ""));
  return app && url ? { name: app.name, url: `${url.origin}/` } : undefined;
}
