import { useEffect, useState } from "preact/hooks";
import { type AdminServiceRemoveOrgResponse, type Org, OrgFieldName, OrgState } from "../../../gen/signet/v1/org_pb.js";
import { byName } from "../../api/api.ts";
import { toProblem } from "../../api/problem.ts";
import { Actions, Dialog, DialogButtons, switchOf } from "../../parts/actions.tsx";
import { EditForm, FormDialog } from "../../parts/edit-form.tsx";
import { Check, Field } from "../../parts/field.tsx";
import { ListScreen, SearchBox, useList } from "../../parts/list-screen.tsx";
import { Facts, ItemScreen, Section } from "../../parts/screen.tsx";
import { ActiveState, Copyable, formatNumber, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { go, search } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { orgChanges, useApi, useSession } from "../../state/session.ts";
import { useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { MembersSection } from "../members/members.tsx";
import { describeAdded, NEW_PERSON, PersonFields, PersonMessages, toHuman } from "../users/new-person.tsx";

/** All organizations, by name. Only people with a role in the instance get here. */
export function OrgsPage() {
  const { api, instance } = useSession();
  const { orgs, shell } = texts.value;
  const text = search.value.get("q") ?? "";
  const found = useList(`orgs ${text}`, (query, signal) =>
    api.admin.listOrgs({ query, sortingColumn: OrgFieldName.NAME, queries: byName(text) }, { signal }),
  );
  const add = { label: orgs.add, to: (close: () => void) => <NewOrgDialog onClose={close} /> };
  return (
    <ListScreen
      title={orgs.title}
      found={found}
      keyOf={({ id }) => id}
      none={{ text: shell.noOrgs }}
      count={orgs.count}
      add={instance.can("iam.org.write") && add}
      tools={<SearchBox text={text} label={orgs.search} />}
      columns={[
        [orgs.name, ({ id, name }) => <a href={toPath({ page: "org", orgId: id })}>{name}</a>],
        [orgs.state, ({ state }) => <ActiveState isActive={state === OrgState.ACTIVE} />],
        [orgs.created, ({ details }) => <Time at={details?.creationDate} />],
        [orgs.id, ({ id }) => <Copyable text={id} />],
      ]}
    />
  );
}

const EMPTY = { name: "", hasOwner: true, ...NEW_PERSON };

/** Makes an organization, with its first owner if there is one, and shows it. */
function NewOrgDialog({ onClose }: { onClose: () => void }) {
  const { api } = useSession();
  const { orgs, done } = texts.value;
  const form = useForm({
    stored: EMPTY,
    async save({ name, hasOwner, ...owner }) {
      if (!hasOwner) return (await api.management.addOrg({ name })).id;
      return (await api.admin.setUpOrg({ org: { name }, user: { case: "human", value: toHuman(owner) } })).orgId;
    },
    done: ({ name, hasOwner, ...owner }) => (hasOwner ? describeAdded(name, owner) : done.added(name)),
    onSaved: (orgId) => go(toPath({ page: "org", orgId })),
  });
  const { hasOwner } = form.values;
  return (
    <FormDialog title={orgs.add} button={orgs.add} form={form} onClose={onClose}>
      <Field label={orgs.name} {...form.field("name", hasOwner ? "org.name" : "name")} isRequired />
      <Check label={orgs.withOwner} {...form.field("hasOwner")} />
      {hasOwner && (
        <fieldset>
          <legend class="spoken">{orgs.owner}</legend>
          <PersonFields form={form} path="human." />
          <PersonMessages {...form.values} />
        </fieldset>
      )}
    </FormDialog>
  );
}

/** The settings of an organization: its name and state. */
export function OrgScreen({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const found = useLoad(`settings ${orgId}`, async (signal) => (await management.getMyOrg({}, { signal })).org);
  const onChanged = () => {
    orgChanges.value += 1;
    return found.reload();
  };
  return (
    <ItemScreen orgId={orgId} kind={texts.value.orgs.settings} found={found}>
      {(org, { can }) => (
        <>
          <Settings org={org} mayChange={can("org.write")} onChanged={onChanged} />
          {can("org.member.read") && <MembersSection orgId={orgId} mayChange={can("org.member.write")} />}
          <RemoveSection org={org} mayRemove={can("org.delete")} />
        </>
      )}
    </ItemScreen>
  );
}

function Settings({ org, mayChange, onChanged }: { org: Org; mayChange: boolean; onChanged: () => void }) {
  const { id, name, state, details, primaryDomain } = org;
  const { management } = useApi(id);
  const { orgs } = texts.value;
  const isActive = state === OrgState.ACTIVE;
  const form = useForm({
    ...{ stored: { name }, isReadOnly: !mayChange, onSaved: onChanged },
    save: (values) => management.updateOrg(values),
  });
  const switchState = switchOf(name, isActive, {
    deactivate: { label: orgs.deactivate, text: orgs.deactivateText, change: () => management.deactivateOrg({}) },
    reactivate: { label: orgs.reactivate, change: () => management.reactivateOrg({}) },
  });
  return (
    <>
      <Facts
        facts={[
          [orgs.id, <Copyable text={id} />],
          [orgs.state, <ActiveState isActive={isActive} />],
          [orgs.created, <Time at={details?.creationDate} />],
          primaryDomain !== "" && [orgs.domain, primaryDomain],
        ]}
      />
      <EditForm form={form} button={orgs.rename}>
        <Field label={orgs.name} {...form.field("name")} isRequired />
      </EditForm>
      <Actions of={name} actions={[mayChange && { ...switchState, isFinal: isActive }]} onDone={onChanged} />
    </>
  );
}

/** Removes the organization with everything in it. Somebody without a role in the instance signs out with it. */
function RemoveSection({ org, mayRemove }: { org: Org; mayRemove: boolean }) {
  const { instance } = useSession();
  const { orgs } = texts.value;
  const ofInstance = instance.can("iam.org.delete");
  if (!ofInstance && !mayRemove) return null;
  const dialog = (onClose: () => void) => <RemoveDialog {...{ org, ofInstance, onClose }} />;
  return (
    <Section title={orgs.remove}>
      <p>{orgs.removeText}</p>
      <Actions of={org.name} actions={[{ label: orgs.remove, isFinal: true, dialog }]} />
    </Section>
  );
}

type Progress = Pick<AdminServiceRemoveOrgResponse, "erasedUsers" | "isComplete">;

/** The service deletes in the background, and each call returns how far it is. */
const POLL_MS = 1_000;

/** Asks for the name of the organization, removes it, and shows how far the service is. */
function RemoveDialog({ org, ofInstance, onClose }: { org: Org; ofInstance: boolean; onClose: () => void }) {
  const session = useSession();
  const { management } = session.apiOf(org.id);
  const { orgs } = texts.value;
  const [progress, setProgress] = useState<Progress>();
  const request = () => session.api.admin.removeOrg({ orgId: org.id, confirmName: org.name });
  const form = useForm({
    ...{ stored: { confirmName: "" }, done: false },
    async save(values) {
      if (ofInstance) return setProgress(await request());
      // This call works only once, so it cannot show the progress.
      await management.removeOrg(values);
      session.signOut();
    },
  });
  const title = orgs.removeOf(org.name);
  if (progress !== undefined) return <ProgressDialog title={title} poll={request} first={progress} />;
  return (
    <FormDialog
      title={title}
      button={orgs.remove}
      form={form}
      isDangerous
      isIncomplete={form.values.confirmName !== org.name}
      onClose={onClose}
    >
      <p>{orgs.removeText}</p>
      <Field label={orgs.confirmName(org.name)} {...form.field("confirmName")} isRequired />
    </FormDialog>
  );
}

function ProgressDialog({ title, poll, first }: { title: string; poll: () => Promise<Progress>; first: Progress }) {
  const { orgs } = texts.value;
  const [progress, setProgress] = useState(first);
  const { erasedUsers, isComplete } = progress;
  useEffect(() => {
    if (isComplete) return;
    const timer = setTimeout(async () => {
      try {
        setProgress(await poll());
      } catch (thrown) {
        // The organization is gone, or this call failed and the next one may not.
        setProgress({ erasedUsers, isComplete: toProblem(thrown).reason === "ORG_NOT_FOUND" });
      }
    }, POLL_MS);
    return () => clearTimeout(timer);
  }, [progress]);
  const leave = () => {
    orgChanges.value += 1;
    go(toPath({ page: "orgs" }));
  };
  return (
    <Dialog title={title} onClose={leave}>
      <p role="status">{(isComplete ? orgs.removed : orgs.removing)(formatNumber(erasedUsers))}</p>
      {!isComplete && <progress aria-label={title} />}
      {!isComplete && <p class="small">{orgs.removingText}</p>}
      <DialogButtons onClose={leave} />
    </Dialog>
  );
}
