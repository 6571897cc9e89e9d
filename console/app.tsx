import type { FunctionComponent } from "preact";
import { useEffect } from "preact/hooks";
import { PATHS, startSignIn } from "./auth/sign-in.ts";
import { Button } from "./parts/button.tsx";
import { Missing } from "./parts/screen.tsx";
import { ROUTES } from "./routes.tsx";
import type { Settings } from "./settings.ts";
import { Shell } from "./shell/shell.tsx";
import { texts } from "./state/language.ts";
import { route } from "./state/location.ts";
import { NEW, toFirstTab } from "./state/paths.ts";
import { type Session, SessionContext } from "./state/session.ts";

/** How the console begins. */
export type Start =
  | { readonly kind: "signed-in"; readonly session: Session }
  | { readonly kind: "signed-out" }
  /** The browser has no cryptography without TLS, except on this machine. */
  | { readonly kind: "insecure" }
  | { readonly kind: "failed"; readonly message: string };

export function App({ settings, start }: { settings: Settings; start: Start }) {
  const { signIn } = texts.value;
  const again = { label: signIn.signIn, onClick: () => void startSignIn(settings, PATHS.home) };
  switch (start.kind) {
    case "signed-out":
      return <Notice title={signIn.signedOut} text={signIn.signedOutText} action={again} />;
    case "insecure":
      return <Notice title={signIn.insecure} text={signIn.insecureText} />;
    case "failed":
      return <Notice title={signIn.failed} text={start.message} action={again} />;
    case "signed-in":
      return (
        <SessionContext.Provider value={start.session}>
          <SignedIn session={start.session} />
        </SessionContext.Provider>
      );
    default:
      return start satisfies never;
  }
}

function SignedIn({ session }: { session: Session }) {
  const { signIn } = texts.value;
  if (!session.hasRole) {
    const action = { label: texts.value.shell.signOut, onClick: session.signOut };
    return <Notice title={signIn.noRole} text={signIn.noRoleText} action={action} />;
  }
  return (
    <Shell>
      <CurrentPage />
    </Shell>
  );
}

function CurrentPage() {
  const current = route.value;
  if (current.page === "missing") return <Missing />;
  const { screen, newScreen } = ROUTES[current.page];
  const { page: _, ...ids } = current;
  const isNew = "id" in ids && ids.id === NEW;
  const Screen = ((isNew && newScreen) || screen) as FunctionComponent;
  return <Screen key={toFirstTab(current)} {...ids} />;
}

interface NoticeProps {
  readonly title: string;
  readonly text: string;
  readonly action?: { readonly label: string; readonly onClick: () => void };
}

/** A page outside of a session. */
function Notice({ title, text, action }: NoticeProps) {
  useEffect(() => {
    document.title = `${title} · Signet`;
  }, [title]);
  return (
    <main class="card">
      <h1>{title}</h1>
      <p>{text}</p>
      {action && <Button label={action.label} look="main" onClick={action.onClick} />}
    </main>
  );
}
