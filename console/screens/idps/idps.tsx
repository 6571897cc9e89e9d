import { IDPOwnerType, IDPState } from "../../../gen/signet/v1/idp_config_pb.js";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { ListScreen, useList } from "../../parts/list-screen.tsx";
import { Back, Page } from "../../parts/screen.tsx";
import { Steps } from "../../parts/steps.tsx";
import { ActiveState, Copyable } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { go, search } from "../../state/location.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { useSession } from "../../state/session.ts";
import { keyOf } from "../../state/tables.ts";
import { useForm } from "../../state/use-form.ts";
import { KindIcon } from "./kind-icon.tsx";
import { KIND_NAMES, KINDS, kindOf, type ProviderKind } from "./kinds.ts";
import { type ProviderOwner, useOwner } from "./owner.ts";

export { IdpPage } from "./idp-page.tsx";

/** The providers with which users of the organization, or of all organizations, can sign in. */
export function IdpsPage({ orgId }: { orgId?: string }) {
  const { seesAllOrgs } = useSession();
  const { idps, orgs, apps } = texts.value;
  const owner = useOwner(orgId);
  const found = useList(`idps ${orgId}`, (query, signal) => owner.calls.list({ query }, { signal }));
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

/** Adds a provider: first its kind, then its name. Its page then has its URLs, and takes its settings. */
export function NewIdpPage({ orgId }: { orgId?: string }) {
  const { idps, apps, orgs } = texts.value;
  const owner = useOwner(orgId);
  const kind = keyOf(KINDS, search.value.get("kind"));
  return (
    <Page title={idps.add} tools={<Back title={idps.title} path={owner.pathTo()} />}>
      <Steps names={[apps.steps.kind, orgs.name, idps.steps]} current={kind ? 1 : 0} firstPath={owner.pathTo(NEW)} />
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

/** Adds a draft, which nobody can sign in with. */
function NewProviderForm({ owner, kind }: { owner: ProviderOwner; kind: ProviderKind }) {
  const { idps, orgs } = texts.value;
  const form = useForm({
    stored: { name: KINDS[kind].name },
    save: ({ name }) => owner.calls.addDraft({ name, type: KINDS[kind].type }),
    done: ({ name }) => texts.value.done.added(name),
    onSaved: ({ id }) => go(owner.pathTo(id)),
  });
  return (
    <EditForm form={form} button={idps.add} isComplete backPath={owner.pathTo(NEW)}>
      <p>{idps.draftText}</p>
      <Field label={orgs.name} hint={idps.nameHint} {...form.field("name")} isRequired />
    </EditForm>
  );
}
