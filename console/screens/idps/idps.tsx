import { IDPOwnerType, IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import { ListScreen, useList } from "../../parts/list-screen.tsx";
import { Back, Page } from "../../parts/screen.tsx";
import { Steps } from "../../parts/steps.tsx";
import { ActiveState, Copyable } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { go, search } from "../../state/location.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { useSession } from "../../state/session.ts";
import { GuideLink } from "./idp-page.tsx";
import { KindIcon } from "./kind-icon.tsx";
import { isKind, KIND_NAMES, KINDS, kindOf, type ProviderKind } from "./kinds.ts";
import { type ProviderOwner, useOwner } from "./owner.ts";
import { ProviderForm } from "./provider-form.tsx";
import { NEW_PROVIDER, toRequest } from "./provider-values.ts";

export { IdpPage } from "./idp-page.tsx";

/** The providers with which users of the organization, or of all organizations, can sign in. */
export function IdpsPage({ orgId }: { orgId?: string }) {
  const { seesAllOrgs } = useSession();
  const { idps, orgs, apps } = texts.value;
  const owner = useOwner(orgId);
  const found = useList(`idps ${orgId}`, (query, signal) => owner.calls.list({ query }, owner.call(signal)));
  return (
    <ListScreen
      title={orgId === undefined ? idps.ofInstance : idps.title}
      found={found}
      keyOf={({ id }) => id}
      none={{ text: idps.none }}
      add={owner.mayChange === true && { label: idps.add, to: owner.pathTo(NEW) }}
      columns={[
        [
          orgs.name,
          (idp) => (
            <span class="named">
              <KindIcon icon={KINDS[kindOf(idp.type)].icon} />
              {owner.owns(idp) ? <a href={owner.pathTo(idp.id)}>{idp.name}</a> : idp.name}
            </span>
          ),
        ],
        [apps.kind, ({ type }) => idps.kinds[kindOf(type)].name],
        [orgs.state, ({ state }) => <ActiveState isActive={state === IDPState.IDP_STATE_ACTIVE} />],
        [idps.owner, (idp) => (idp.owner === IDPOwnerType.IDP_OWNER_TYPE_SYSTEM ? idps.instance : idps.org)],
        [orgs.id, ({ id }) => <Copyable text={id} />],
      ]}
    >
      {orgId !== undefined && seesAllOrgs && (
        <p>
          <a href={toPath({ page: "instanceIdps" })}>{idps.ofInstance}</a>
        </p>
      )}
    </ListScreen>
  );
}

/** Adds a provider: first its kind, then its settings; its page then says what to do at the provider. */
export function NewIdpPage({ orgId }: { orgId?: string }) {
  const { idps, apps } = texts.value;
  const owner = useOwner(orgId);
  const given = search.value.get("kind");
  const kind = isKind(given) ? given : undefined;
  return (
    <Page title={idps.add} tools={<Back title={idps.title} path={owner.pathTo()} />}>
      <Steps names={[apps.steps.kind, idps.settings, idps.next]} current={kind ? 1 : 0} firstPath={owner.pathTo(NEW)} />
      {kind ? (
        <NewProviderForm key={kind} owner={owner} kind={kind} />
      ) : (
        <ul class="cards">
          {KIND_NAMES.map((name) => (
            <li key={name}>
              <a href={`${owner.pathTo(NEW)}?kind=${name}`}>
                <KindIcon icon={KINDS[name].icon} />
                <strong>{idps.kinds[name].name}</strong>
              </a>
            </li>
          ))}
        </ul>
      )}
    </Page>
  );
}

function NewProviderForm({ owner, kind }: { owner: ProviderOwner; kind: ProviderKind }) {
  const { idps } = texts.value;
  return (
    <>
      <p>
        {idps.kinds[kind].before} <GuideLink kind={kind} />
      </p>
      <ProviderForm
        kind={kind}
        stored={{ ...NEW_PROVIDER, name: KINDS[kind].name, requireAuthTime: kind !== "microsoft" }}
        isNew
        owner={owner}
        backPath={owner.pathTo(NEW)}
        save={async (values) => {
          const { id } = await owner.write[kind].add(toRequest(values), owner.call());
          // It is offered once its URLs are known there. If this fails, its page says that it is active.
          await owner.calls.deactivate({ idpId: id }, owner.call()).catch(() => {});
          return id;
        }}
        done={({ name }) => texts.value.done.added(name)}
        onSaved={(id) => go(owner.pathTo(id))}
      />
    </>
  );
}
