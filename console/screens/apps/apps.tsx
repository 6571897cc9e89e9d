import { useState } from "preact/hooks";
import { type App, AppState, OIDCAuthMethodType } from "../../../gen/signet/v1/app_pb.js";
import { byName } from "../../api/api.ts";
import { Actions, removalOf, switchOf } from "../../parts/actions.tsx";
import { ListField } from "../../parts/list-field.tsx";
import { ListScreen, SearchBox, useList } from "../../parts/list-screen.tsx";
import { Facts, ItemScreen, Section } from "../../parts/screen.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { ActiveState, Copyable, SecretNote, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { type Permissions, useMay } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { AddressesForm } from "./addresses-form.tsx";
import { AppForm, type AppPart, toValues } from "./app-form.tsx";
import { Connection } from "./connection.tsx";
import { kindOf } from "./kinds.ts";
import { TokensForm } from "./tokens-form.tsx";

export { NewAppPage } from "./new-app-page.tsx";

/** The applications of an organization, the latest first. */
export function AppsPage({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const { apps, orgs } = texts.value;
  const text = search.value.get("q") ?? "";
  const mayAdd = useMay(orgId, "org.app.write");
  const found = useList(
    `apps ${orgId} ${text}`,
    (query, signal) => management.listApps({ query, queries: byName(text) }, { signal }),
    { asc: false },
  );
  return (
    <ListScreen
      title={apps.title}
      found={found}
      keyOf={({ id }) => id}
      none={{ text: text ? apps.noneFound : apps.none }}
      add={mayAdd && { label: apps.add, to: toPath({ page: "app", orgId, id: NEW }) }}
      tools={<SearchBox text={text} label={apps.search} />}
      columns={[
        [orgs.name, ({ id, name }) => <a href={toPath({ page: "app", orgId, id })}>{name}</a>],
        [apps.kind, ({ config }: App) => apps.kinds[kindOf(config.value?.appType)].name],
        [orgs.state, ({ state }) => <ActiveState isActive={state === AppState.ACTIVE} />],
        [orgs.created, ({ details }) => <Time at={details?.creationDate} />],
        [apps.clientId, ({ id }) => <Copyable text={id} />],
      ]}
    />
  );
}

export function AppPage({ orgId, id: appId, tab }: { orgId: string; id: string; tab?: string | undefined }) {
  const { management } = useApi(orgId);
  const { apps } = texts.value;
  const found = useLoad(`app ${orgId} ${appId}`, async (signal) => {
    return (await management.getAppByID({ appId }, { signal })).app;
  });
  const list = { title: apps.title, path: toPath({ page: "apps", orgId }) };
  return (
    <ItemScreen orgId={orgId} kind={apps.app} list={list} found={found} nameOf={({ name }) => name}>
      {(app, permissions) => (
        <Parts
          {...{ orgId, app, permissions, tab, kind: kindOf(app.config.value?.appType), onChanged: found.reload }}
          mayChange={mayChange(app, permissions)}
        />
      )}
    </ItemScreen>
  );
}

function Parts({ tab, ...part }: AppPart & { readonly tab: string | undefined }) {
  const { app, kind } = part;
  const { apps, orgs } = texts.value;
  const hasUsers = kind !== "service";
  const [redirectUri = ""] = toValues(app).redirectUris;
  const [secret, setSecret] = useState("");
  const connection = { name: app.name, kind, clientId: app.id, clientSecret: secret, redirectUri };
  return (
    <>
      <Facts
        facts={[
          [orgs.state, <ActiveState isActive={app.state === AppState.ACTIVE} />],
          [apps.kind, apps.kinds[kind].name],
          [orgs.created, <Time at={app.details?.creationDate} />],
        ]}
      />
      {secret && tab && <SecretNote label={apps.clientSecret} secret={secret} />}
      {part.permissions.can("org.app.write") && <AppActions {...part} onSecret={setSecret} />}
      <Tabs
        tabs={[
          {
            ...{ name: "", title: apps.connect },
            show: () => (
              <Section title={apps.connect}>
                <Connection app={connection} />
              </Section>
            ),
          },
          hasUsers && { name: "addresses", title: apps.steps.addresses, show: () => <AddressesForm {...part} /> },
          { name: "tokens", title: apps.tokens, show: () => <TokensForm {...part} /> },
          hasUsers && { name: "roles", title: apps.claims, show: () => <ClaimsForm {...part} /> },
        ]}
      />
    </>
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

const { OIDC_AUTH_METHOD_TYPE_BASIC: BASIC, OIDC_AUTH_METHOD_TYPE_POST: POST } = OIDCAuthMethodType;

function AppActions({ onSecret, ...part }: AppPart & { onSecret: (secret: string) => void }) {
  const { orgId, app, mayChange: mayReplace, onChanged } = part;
  const { management } = useApi(orgId);
  const { apps, done } = texts.value;
  const { actions, clientSecret } = apps;
  const request = { appId: app.id };
  const method = app.config.value?.authMethodType;
  const newSecret = async () => onSecret((await management.regenerateOIDCClientSecret(request)).clientSecret);
  const offered = [
    mayReplace &&
      (method === BASIC || method === POST) && {
        ...{ ...actions.newSecret, isDangerous: true, change: newSecret, done: done.added(clientSecret) },
      },
    switchOf(app.name, app.state === AppState.ACTIVE, {
      deactivate: { ...actions.deactivate, change: () => management.deactivateApp(request) },
      reactivate: { ...actions.reactivate, change: () => management.reactivateApp(request) },
    }),
    removalOf({
      ...{ ...actions.remove, of: app.name, path: toPath({ page: "apps", orgId }) },
      change: () => management.removeApp(request),
    }),
  ];
  return <Actions of={app.name} actions={offered} onDone={onChanged} />;
}

/** The roles of the application, and which metadata of users it gets. */
function ClaimsForm(part: AppPart) {
  const { apps } = texts.value;
  return (
    <AppForm {...part} title={apps.claims} names={["roles", "metadataClaims"]}>
      {(form) => (
        <>
          <ListField label={apps.roles} hint={apps.rolesHint} {...form.field("roles")} placeholder="editor" />
          <ListField
            label={apps.metadataClaims}
            hint={apps.metadataClaimsHint}
            {...form.field("metadataClaims")}
            placeholder="plan"
          />
        </>
      )}
    </AppForm>
  );
}
