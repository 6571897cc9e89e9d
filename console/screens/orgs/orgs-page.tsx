import { OrgFieldName, OrgState } from "../../../gen/signet/v1/org_pb.js";
import { byName } from "../../api/api.ts";
import { FormDialog } from "../../parts/edit-form.tsx";
import { Check, Field } from "../../parts/field.tsx";
import { ListScreen, SearchBox, useList } from "../../parts/list-screen.tsx";
import { ActiveState, Copyable, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { go, search } from "../../state/location.ts";
import { toPath } from "../../state/paths.ts";
import { useSession } from "../../state/session.ts";
import { useForm } from "../../state/use-form.ts";
import { describeAdded, NEW_PERSON, PersonFields, PersonMessages, toHuman } from "../users/new-person.tsx";

export { OrgScreen } from "./org-screen.tsx";

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
