import { type App, AppState } from "../../../gen/signet/v1/app_pb.js";
import { byName } from "../../api/api.ts";
import { ListScreen, SearchBox, useList } from "../../parts/list-screen.tsx";
import { ActiveState, Copyable, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { search } from "../../state/location.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { useMay } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { kindOf } from "./kinds.ts";

export { AppPage } from "./app-page.tsx";
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
