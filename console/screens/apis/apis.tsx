import type { API } from "../../../gen/signet/v1/api_pb.js";
import { Actions, removalOf } from "../../parts/actions.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Check, Field } from "../../parts/field.tsx";
import { ListField } from "../../parts/list-field.tsx";
import { ListScreen, useList } from "../../parts/list-screen.tsx";
import { IdsField } from "../../parts/pick-field.tsx";
import { Back, Facts, type ItemPart, ItemScreen, Page, Section } from "../../parts/screen.tsx";
import { Copyable, Time } from "../../parts/values.tsx";
import { texts } from "../../state/language.ts";
import { go } from "../../state/location.ts";
import { NEW, toPath } from "../../state/paths.ts";
import { useMay } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { pick } from "../../state/tables.ts";
import { type FormOptions, useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { useAppChoices } from "../users/choices.ts";

/** The APIs that applications of an organization call. */
export function ApisPage({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const { apis, orgs } = texts.value;
  const mayAdd = useMay(orgId, "org.app.write");
  const found = useList(`apis ${orgId}`, (query, signal) => management.listAPIs({ query }, { signal }));
  return (
    <ListScreen
      title={apis.title}
      found={found}
      keyOf={({ id }) => id}
      none={{ text: apis.none }}
      add={mayAdd && { label: apis.add, to: toPath({ page: "api", orgId, id: NEW }) }}
      columns={[
        [orgs.name, ({ id, name }) => <a href={toPath({ page: "api", orgId, id })}>{name}</a>],
        [apis.identifier, ({ identifier }) => <Copyable text={identifier} />],
        [apis.scopes, ({ scopes }) => scopes.join(" ")],
      ]}
    />
  );
}

export function NewApiPage({ orgId }: { orgId: string }) {
  const { management } = useApi(orgId);
  const { apis } = texts.value;
  return (
    <Page title={apis.add} tools={<Back title={apis.title} path={toPath({ page: "apis", orgId })} />}>
      <ApiForm
        orgId={orgId}
        stored={{ name: "", identifier: "", scopes: [], introspectorAppIds: [], allowsUnregisteredClients: false }}
        isNew
        save={async (values) => (await management.addAPI(values)).id}
        onSaved={(id) => go(toPath({ page: "api", orgId, id }))}
      />
    </Page>
  );
}

export function ApiPage({ orgId, id }: { orgId: string; id: string }) {
  const { management } = useApi(orgId);
  const { apis } = texts.value;
  const found = useLoad(`api ${orgId} ${id}`, async (signal) => (await management.getAPIByID({ id }, { signal })).api);
  const list = { title: apis.title, path: toPath({ page: "apis", orgId }) };
  return (
    <ItemScreen orgId={orgId} kind={apis.api} list={list} found={found} nameOf={({ name }) => name}>
      {(value, { can }) => (
        <Parts orgId={orgId} value={value} mayChange={can("org.app.write")} onChanged={found.reload} />
      )}
    </ItemScreen>
  );
}

function Parts({ orgId, value, mayChange, onChanged }: ItemPart & { readonly value: API }) {
  const { management } = useApi(orgId);
  const { apis, orgs, actions } = texts.value;
  const { id, name, identifier, details } = value;
  const remove = removalOf({
    ...{ of: name, label: actions.remove, text: apis.removeText, path: toPath({ page: "apis", orgId }) },
    change: () => management.removeAPI({ id }),
  });
  return (
    <>
      <Facts
        facts={[
          [apis.identifier, <Copyable text={identifier} />],
          [orgs.id, <Copyable text={id} />],
          [orgs.created, <Time at={details?.creationDate} />],
        ]}
      />
      <Actions of={name} actions={[mayChange && remove]} onDone={onChanged} />
      <Section title={apis.settings}>
        <ApiForm
          {...{ orgId, stored: pick(value, NAMES), isReadOnly: !mayChange, onSaved: onChanged }}
          latest={async () => (await management.getAPIByID({ id })).api}
          save={({ identifier: _, ...values }) => management.updateAPI({ id, ...values })}
        />
      </Section>
    </>
  );
}

const NAMES = ["name", "identifier", "scopes", "introspectorAppIds", "allowsUnregisteredClients"] as const;

interface ApiFormProps<Saved> extends FormOptions<Pick<API, (typeof NAMES)[number]>, Saved> {
  readonly orgId: string;
  readonly isNew?: boolean;
}

function ApiForm<Saved>({ orgId, isNew = false, ...options }: ApiFormProps<Saved>) {
  const { apis, orgs } = texts.value;
  const form = useForm(options);
  return (
    <EditForm form={form} button={isNew && apis.add}>
      <Field label={orgs.name} {...form.field("name")} isRequired />
      <Field
        label={apis.identifier}
        hint={apis.identifierHint}
        {...form.field("identifier")}
        isRequired
        isReadOnly={!isNew}
      />
      <ListField label={apis.scopes} hint={apis.scopesHint} {...form.field("scopes")} placeholder="orders:read" />
      <IdsField
        label={apis.introspectors}
        hint={apis.introspectorsHint}
        isMany
        {...useAppChoices(orgId)}
        {...form.field("introspectorAppIds")}
      />
      <Check label={apis.unregistered} hint={apis.unregisteredHint} {...form.field("allowsUnregisteredClients")} />
    </EditForm>
  );
}
