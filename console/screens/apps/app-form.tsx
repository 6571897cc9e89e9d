import { create } from "@bufbuild/protobuf";
import type { ComponentChildren } from "preact";
import { type App, type OIDCConfig, OIDCConfigSchema } from "../../../gen/signet/v1/app_pb.js";
import { EditForm } from "../../parts/edit-form.tsx";
import { IdField } from "../../parts/pick-field.tsx";
import { type ItemPart, Section } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import type { Permissions } from "../../state/permissions.ts";
import { useApi } from "../../state/session.ts";
import { pick } from "../../state/tables.ts";
import { type Bound, type Form, useForm } from "../../state/use-form.ts";
import { useUserChoices } from "../users/choices.ts";
import type { Kind } from "./kinds.ts";

/** The configuration of an application that the forms change, by the names of the API. */
export type AppValues = Omit<OIDCConfig, "$typeName" | "$unknown" | "clientId" | "responseTypes">;

export function toValues({ config: { value } }: App): AppValues {
  return value ?? create(OIDCConfigSchema);
}

/** The names of the proto file, such as `redirect_uris` for `redirectUris`. */
function toMask(names: readonly string[]): { paths: string[] } {
  return { paths: names.map((name) => name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)) };
}

/** What each part of the page of an application gets. */
export interface AppPart extends ItemPart {
  readonly app: App;
  readonly kind: Kind;
  readonly permissions: Permissions;
}

interface AppFormProps<Name extends keyof AppValues> extends AppPart {
  readonly title: string;
  /** The values that the form shows. */
  readonly names: readonly Name[];
  readonly children: (form: Form<Pick<AppValues, Name>>) => ComponentChildren;
}

/** A form for a part of the configuration. It changes only what differs, and nothing that somebody else has changed. */
export function AppForm<Name extends keyof AppValues>(props: AppFormProps<Name>) {
  const { orgId, app, mayChange, onChanged, title, names, children } = props;
  const { management } = useApi(orgId);
  const { id: appId } = app;
  const form = useForm({
    ...{ stored: pick(toValues(app), names), isReadOnly: !mayChange, onSaved: onChanged },
    async latest() {
      const { app: latest } = await management.getAppByID({ appId });
      return latest && toValues(latest);
    },
    save: (values, changed) =>
      management.patchOIDCAppConfig({ appId, ...(pick(values, changed) as object), updateMask: toMask(changed) }),
  });
  return (
    <Section title={title}>
      <EditForm form={form}>{children(form)}</EditForm>
    </Section>
  );
}

/** The machine user for whom a service gets tokens. */
export function MachineField({ orgId, ...bound }: Bound<string> & { readonly orgId: string }) {
  const { serviceUser: label, chooseMachine: placeholder, noMachines: none } = texts.value.apps;
  return <IdField {...{ label, placeholder, none, ...useUserChoices(orgId, "machine"), ...bound }} />;
}
