import type { FunctionComponent } from "preact";
import { PATHS, startSignIn } from "./auth/sign-in.ts";
import { Home } from "./screens/home.tsx";
import { Missing } from "./screens/missing.tsx";
import { Notice } from "./screens/notice.tsx";
import { OrgScreen } from "./screens/orgs/org-screen.tsx";
import { OrgsPage } from "./screens/orgs/orgs-page.tsx";
import { OverviewPage } from "./screens/overview/overview-page.tsx";
import {
  ApiPage,
  ApisPage,
  AppPage,
  AppsPage,
  IdpPage,
  IdpsPage,
  ImportPage,
  InstanceAuditPage,
  InstanceMembersPage,
  InstanceScreen,
  MessagesPage,
  NewApiPage,
  NewAppPage,
  NewIdpPage,
  NewWebhookPage,
  OrgAuditPage,
  SignInPage,
  WebhookPage,
  WebhooksPage,
} from "./screens/screens.ts";
import { UserPage } from "./screens/user/user-page.tsx";
import { UsersPage } from "./screens/users/users-page.tsx";
import type { Settings } from "./settings.ts";
import { Shell } from "./shell/shell.tsx";
import { SessionContext } from "./state/context.ts";
import { texts } from "./state/language.ts";
import { route } from "./state/location.ts";
import { type InstancePage, type ItemPage, NEW, type OrgPage } from "./state/routes.ts";
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
  if (current.page === "user") return <UserPage key={current.userId} orgId={current.orgId} userId={current.userId} />;
  if (current.page === "instanceIdp") {
    return current.id === NEW ? <NewIdpPage /> : <IdpPage key={current.id} id={current.id} />;
  }
  if ("id" in current) {
    const Screen = current.id === NEW ? NEW_SCREENS[current.page] : ITEM_SCREENS[current.page];
    return <Screen key={`${current.page} ${current.orgId} ${current.id}`} orgId={current.orgId} id={current.id} />;
  }
  if ("orgId" in current) {
    const Screen = ORG_SCREENS[current.page];
    return <Screen key={`${current.page} ${current.orgId}`} orgId={current.orgId} />;
  }
  const Screen = SCREENS[current.page];
  return <Screen key={current.page} />;
}

const ORG_SCREENS: Readonly<Record<OrgPage, FunctionComponent<{ orgId: string }>>> = {
  overview: OverviewPage,
  users: UsersPage,
  import: ImportPage,
  messages: MessagesPage,
  audit: OrgAuditPage,
  apps: AppsPage,
  apis: ApisPage,
  idps: IdpsPage,
  signInPage: SignInPage,
  webhooks: WebhooksPage,
  org: OrgScreen,
};

const ITEM_SCREENS: Readonly<Record<ItemPage, FunctionComponent<{ orgId: string; id: string }>>> = {
  app: AppPage,
  api: ApiPage,
  idp: IdpPage,
  webhook: WebhookPage,
};

const NEW_SCREENS: Readonly<Record<ItemPage, FunctionComponent<{ orgId: string }>>> = {
  app: NewAppPage,
  api: NewApiPage,
  idp: NewIdpPage,
  webhook: NewWebhookPage,
};

const SCREENS: Readonly<Record<InstancePage | "home" | "missing", FunctionComponent>> = {
  home: Home,
  missing: Missing,
  orgs: OrgsPage,
  instance: InstanceScreen,
  instanceMembers: InstanceMembersPage,
  instanceAudit: InstanceAuditPage,
  instanceIdps: () => <IdpsPage />,
  instanceSignInPage: () => <SignInPage />,
};
