import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import { useState } from "preact/hooks";
import type { ScimConnection } from "../../../gen/signet/v1/scim_pb.js";
import { requireUnchanged } from "../../api/problem.ts";
import { Actions, removalOf } from "../../parts/actions.tsx";
import { ListScreen, useList } from "../../parts/list-screen.tsx";
import { Back, Facts, type ItemPart, ItemScreen, Page, Section } from "../../parts/screen.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { Copyable, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { useMay } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { DirectoryStatus } from "./directory-status.tsx";
import { RequestsTab } from "./requests-tab.tsx";
import { NEW_CONNECTION, ScimForm, type ScimValues, toRequest, toValues } from "./scim-form.tsx";
import { scimTexts } from "./scim-texts.ts";
import { DirectorySteps, SetupCard } from "./setup-card.tsx";
import { TrialSection } from "./trial-section.tsx";

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

export function ScimConnectionPage({ orgId, id }: { orgId: string; id: string }) {
  const { management } = useApi(orgId);
  const own = scimTexts.value;
  const found = useLoad(`scim connection ${orgId} ${id}`, async (signal) => {
    return (await management.getScimConnection({ id }, { signal })).connection;
  });
  const list = { title: own.title, path: toPath({ page: "scim", orgId }) };
  return (
    <ItemScreen orgId={orgId} kind={own.connection} list={list} found={found} nameOf={({ name }) => name}>
      {(connection, { can }) => (
        <Parts {...{ orgId, connection, onChanged: found.reload }} mayChange={can("org.scim.write")} />
      )}
    </ItemScreen>
  );
}

interface PartsProps extends ItemPart {
  readonly connection: ScimConnection;
}

function Parts(part: PartsProps) {
  const { orgId, connection, mayChange, onChanged } = part;
  const { management } = useApi(orgId);
  const own = scimTexts.value;
  const { id, name } = connection;
  const stored = toValues(connection);
  const [token, setToken] = useState("");
  /** The call replaces all settings. */
  async function save(values: ScimValues) {
    const { connection: latest } = await management.getScimConnection({ id });
    requireUnchanged(latest && toValues(latest), stored);
    await management.updateScimConnection({ id, ...toRequest(values) });
  }
  const trial = (
    <TrialSection
      {...{ orgId, id, name, mayChange, onChanged }}
      isTrial={stored.isTrial}
      set={(isTrial) => save({ ...stored, isTrial })}
    />
  );
  return (
    <>
      <DirectoryStatus {...{ orgId, id, name }} />
      <ConnectionFacts {...connection} />
      {mayChange && <ConnectionActions {...part} onToken={setToken} />}
      {token !== "" && <SetupCard token={token} />}
      <Tabs
        tabs={[
          {
            ...{ name: "", title: own.connect },
            show: () => (
              <>
                {stored.isTrial && trial}
                <Section title={own.connect}>
                  {token === "" && <SetupCard token="" />}
                  <DirectorySteps />
                </Section>
                {!stored.isTrial && trial}
              </>
            ),
          },
          { name: "requests", title: own.requests, show: () => <RequestsTab {...{ orgId, id, name }} /> },
          {
            ...{ name: "settings", title: own.settings },
            show: () => (
              <Section title={own.settings}>
                <ScimForm {...{ orgId, stored, save }} isReadOnly={!mayChange} onSaved={onChanged} />
              </Section>
            ),
          },
        ]}
      />
    </>
  );
}

function ConnectionFacts(connection: ScimConnection) {
  const { id, details, lastUsedDate, previousTokenExpirationDate: previousEnd } = connection;
  const { orgs } = texts.value;
  const own = scimTexts.value;
  const isAccepted = previousEnd !== undefined && timestampDate(previousEnd).getTime() > Date.now();
  return (
    <Facts
      facts={[
        [orgs.state, <ConnectionState {...connection} />],
        [own.lastUse, lastUsedDate ? <LastUse at={lastUsedDate} /> : own.never],
        isAccepted && [
          own.previousToken,
          <span>
            {own.endsAt} <Time at={previousEnd} />
          </span>,
        ],
        [orgs.id, <Copyable text={id} />],
        [orgs.created, <Time at={details?.creationDate} />],
      ]}
    />
  );
}

function LastUse({ at }: { at: Timestamp }) {
  return (
    <>
      <Time at={at} /> <span class="small">{scimTexts.value.toTheHour}</span>
    </>
  );
}

function ConnectionState({ isTrial, lastUsedDate }: ScimConnection) {
  const { states } = scimTexts.value;
  if (isTrial) return <span class="state pending">{states.trial}</span>;
  return lastUsedDate ? <span class="state good">{states.on}</span> : <span class="state">{states.none}</span>;
}

function ConnectionActions({ onToken, ...part }: PartsProps & { onToken: (token: string) => void }) {
  const { orgId, connection, onChanged } = part;
  const { id, name } = connection;
  const { management } = useApi(orgId);
  const { done } = texts.value;
  const own = scimTexts.value;
  const offered = [
    {
      ...{ ...own.actions.rotate, isDangerous: true, done: done.added(own.token) },
      change: async () => onToken((await management.rotateScimToken({ id })).token),
    },
    removalOf({
      ...{ ...own.actions.remove, of: name, path: toPath({ page: "scim", orgId }) },
      change: () => management.removeScimConnection({ id }),
    }),
  ];
  return <Actions of={name} actions={offered} onDone={onChanged} />;
}
