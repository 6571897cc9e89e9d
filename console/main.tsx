import { render } from "preact";
import { App, type Start } from "./app.tsx";
import { describeSignInError, finishSignIn, PATHS, startSignIn } from "./auth/sign-in.ts";
import { readSettings, type Settings } from "./settings.ts";
import { keepFocus } from "./state/keep-focus.ts";
import { followLanguage } from "./state/language.ts";
import { followLinks, go } from "./state/location.ts";
import { followTheme } from "./state/preferences.ts";
import { openSession } from "./state/session.ts";

const settings = readSettings();
followTheme();
const [start] = await Promise.all([begin(settings), followLanguage()]);
followLinks();
keepFocus();
render(<App settings={settings} start={start} />, document.body);

/** Signs in, unless the person has just signed out. Leaves the page to do so. */
async function begin(settings: Settings): Promise<Start> {
  const { href, origin, pathname, search } = location;
  // The sign-in comes back to PUBLIC_URL, and what this tab has stored belongs to its origin.
  if (origin !== settings.issuer) return leaveFor(settings.issuer + pathname + search);
  if (!isSecureContext) return { kind: "insecure" };
  if (pathname === PATHS.signedOut) return { kind: "signed-out" };
  if (pathname !== PATHS.signedIn) return await startSignIn(settings, pathname + search);
  try {
    const signedIn = await finishSignIn(settings, new URL(href));
    if (signedIn === undefined) return await startSignIn(settings, PATHS.home);
    // The code must not stay in the history.
    go(signedIn.returnTo, { replace: true });
    return { kind: "signed-in", session: await openSession(settings, signedIn) };
  } catch (error) {
    go(PATHS.home, { replace: true });
    return { kind: "failed", message: describeSignInError(error) };
  }
}

function leaveFor(url: string): Promise<never> {
  location.replace(url);
  return new Promise(() => {});
}
