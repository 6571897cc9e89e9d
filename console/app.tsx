import { PATHS, startSignIn } from "./auth/sign-in.ts";
import { Home } from "./screens/home.tsx";
import { Missing } from "./screens/missing.tsx";
import { Notice } from "./screens/notice.tsx";
import { OrgPage } from "./screens/orgs/org-page.tsx";
import { OrgsPage } from "./screens/orgs/orgs-page.tsx";
import { UserPage } from "./screens/user/user-page.tsx";
import { UsersPage } from "./screens/users/users-page.tsx";
import type { Settings } from "./settings.ts";
import { Shell } from "./shell/shell.tsx";
import { SessionContext } from "./state/context.ts";
import { texts } from "./state/language.ts";
import { route } from "./state/location.ts";
import type { Session } from "./state/session.ts";

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
  switch (current.page) {
    case "home":
      return <Home />;
    case "orgs":
      return <OrgsPage />;
    case "org":
      return <OrgPage key={current.orgId} orgId={current.orgId} />;
    case "users":
      return <UsersPage key={current.orgId} orgId={current.orgId} />;
    case "user":
      return <UserPage key={current.userId} orgId={current.orgId} userId={current.userId} />;
    case "missing":
      return <Missing />;
    default:
      return current satisfies never;
  }
}
