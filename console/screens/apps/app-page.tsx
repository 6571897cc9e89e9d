import { type App, AppState } from "../../../gen/signet/v1/app_pb.js";
import { inOrg } from "../../api/api.ts";
import { ActiveState } from "../../parts/active-state.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { type Permissions, usePermissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { Section } from "../user/section.tsx";
import { AddressesForm } from "./addresses-form.tsx";
import { AppActions } from "./app-actions.tsx";
import { toValues } from "./app-values.ts";
import { ClaimsForm } from "./claims-form.tsx";
import { kindOf } from "./kinds.ts";
import { Snippets } from "./snippets/snippets.tsx";
import { TokensForm } from "./tokens-form.tsx";

export function AppPage({ orgId, id: appId }: { orgId: string; id: string }) {
  const { api } = useSession();
  const { apps, orgs } = texts.value;
  const permissions = usePermissions(orgId).value;
  const found = useLoad(`app ${orgId} ${appId}`, async (signal) => {
    return (await api.management.getAppByID({ appId }, inOrg(orgId, signal))).app;
  });
  const app = found.value;
  const back = (
    <a class="back" href={toPath({ page: "apps", orgId })}>
      {apps.title}
    </a>
  );
  if (app === undefined || permissions === undefined) {
    return (
      <Page title={apps.app} tools={back}>
        <ProblemNote problem={found.problem} onRetry={found.reload} />
        {found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      </Page>
    );
  }
  const kind = kindOf(app.config.value?.appType);
  const values = toValues(app);
  const parts = { orgId, app, kind, mayChange: mayChange(app, permissions), permissions, onChanged: found.reload };
  const shown = { name: app.name, clientId: app.id, clientSecret: "", redirectUri: values.redirectUris[0] ?? "" };
  return (
    <Page title={app.name} tools={back}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <dl>
        <dt>{orgs.state}</dt>
        <dd>
          <ActiveState isActive={app.state === AppState.ACTIVE} />
        </dd>
        <dt>{apps.kind}</dt>
        <dd>{apps.kinds[kind].name}</dd>
        <dt>{apps.clientId}</dt>
        <dd>
          <Copyable text={app.id} />
        </dd>
        <dt>{orgs.created}</dt>
        <dd>
          <Time at={app.details?.creationDate} />
        </dd>
      </dl>
      <AppActions {...parts} />
      <Section title={apps.connect}>
        <Snippets kind={kind} app={shown} />
      </Section>
      {kind !== "service" && <AddressesForm {...parts} />}
      <TokensForm {...parts} />
      {kind !== "service" && <ClaimsForm {...parts} />}
    </Page>
  );
}

/** Whoever controls an application with API access or a machine user can act as its users, so it needs more. */
function mayChange(app: App, permissions: Permissions): boolean {
  const { apiAccess = false, serviceUserId = "" } = app.config.value ?? {};
  return (
    permissions.can("org.app.write") &&
    (!apiAccess || permissions.can("org.member.write")) &&
    (serviceUserId === "" || permissions.can("user.write"))
  );
}
