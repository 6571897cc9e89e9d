import { useState } from "preact/hooks";
import { ListScreen, useList } from "../../parts/list-screen.tsx";
import { Back, Page, Section } from "../../parts/screen.tsx";
import { Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { useMay } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { ConnectionState } from "./connection-page.tsx";
import { DirectoryStatus } from "./directory-status.tsx";
import { NEW_CONNECTION, ScimForm, toRequest } from "./scim-form.tsx";
import { scimTexts } from "./scim-texts.ts";
import { DirectorySteps, SetupCard } from "./setup-card.tsx";

export { ScimConnectionPage } from "./connection-page.tsx";

/** The SCIM connections of an organization, of which there are at most 20. */
export function ScimPage({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const { orgs } = texts.value;
  const own = scimTexts.value;
  const mayChange = useMay(orgId, "org.scim.write");
  const found = useList(`scim ${orgId}`, (query, signal) => management.listScimConnections({ query }, { signal }));
  return (
    <ListScreen
      title={own.title}
      found={found}
      keyOf={({ id }) => id}
      none={{ text: own.none, picture: "people" }}
      add={mayChange && { label: own.add, to: toPath({ page: "scimConnection", orgId, id: NEW }) }}
      columns={[
        [own.name, ({ id, name }) => <a href={toPath({ page: "scimConnection", orgId, id })}>{name}</a>],
        [orgs.state, (connection) => <ConnectionState {...connection} />],
        [own.lastUse, ({ lastUsedDate }) => (lastUsedDate ? <Time at={lastUsedDate} /> : own.never)],
        [orgs.created, ({ details }) => <Time at={details?.creationDate} />],
      ]}
    />
  );
}

/** Adds a connection, and shows what to enter in the directory. */
export function NewScimConnectionPage({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const own = scimTexts.value;
  const [added, setAdded] = useState<{ id: string; token: string; name: string }>();
  return (
    <Page title={added?.name ?? own.add} tools={<Back title={own.title} path={toPath({ page: "scim", orgId })} />}>
      {added ? (
        <>
          <p>{own.added}</p>
          <SetupCard token={added.token} />
          <DirectoryStatus orgId={orgId} {...added} />
          <Section title={own.connect}>
            <DirectorySteps />
          </Section>
          <div class="buttons">
            <a class="button" href={toPath({ page: "scimConnection", orgId, id: added.id })}>
              {own.toConnection}
            </a>
          </div>
        </>
      ) : (
        <ScimForm
          orgId={orgId}
          stored={NEW_CONNECTION}
          button={own.add}
          save={async (values) => {
            const { id, token } = await management.addScimConnection(toRequest(values));
            return { id, token, name: values.name };
          }}
          done={({ name }) => texts.value.done.added(name)}
          onSaved={(saved) => {
            setAdded(saved);
            scrollTo(0, 0);
          }}
        />
      )}
    </Page>
  );
}
