import type { ComponentChildren } from "preact";
import type { App } from "../../../gen/signet/v1/app_pb.js";
import { inOrg } from "../../api/api.ts";
import { type Problem, StaleError } from "../../api/problem.ts";
import { EditForm } from "../../parts/edit-form.tsx";
import { itemsOf } from "../../parts/list-field.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import type { Permissions } from "../../state/permissions.ts";
import { type Form, useForm } from "../../state/use-form.ts";
import { Section } from "../user/section.tsx";
import { type AppValues, pick, toMask, toValues } from "./app-values.ts";
import type { Kind } from "./kinds.ts";

/** What each part of the page of an application gets. */
export interface AppPart {
  readonly orgId: string;
  readonly app: App;
  readonly kind: Kind;
  readonly permissions: Permissions;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

interface AppFormProps<Name extends keyof AppValues> extends AppPart {
  readonly title: string;
  /** The values that the form shows. */
  readonly names: readonly Name[];
  readonly children: (
    form: Form<Pick<AppValues, Name>>,
    problem: Problem | undefined,
    isReadOnly: boolean,
  ) => ComponentChildren;
}

/** A form for a part of the configuration. It changes only what differs, and nothing that somebody else has changed. */
export function AppForm<Name extends keyof AppValues>(props: AppFormProps<Name>) {
  // Another form of the page keeps what was entered when this one is saved.
  return <KeyedForm key={JSON.stringify(pick(toValues(props.app), props.names))} {...props} />;
}

function KeyedForm<Name extends keyof AppValues>(props: AppFormProps<Name>) {
  const { orgId, app, mayChange, onChanged, title, names, children } = props;
  const { api } = useSession();
  const stored = pick(toValues(app), names);
  const form = useForm(stored);

  async function save() {
    const call = inOrg(orgId);
    const cleaned = Object.fromEntries(
      form.changed.map((name) => [name, isTexts(form.values[name]) ? itemsOf(form.values[name]) : form.values[name]]),
    );
    // Errors are reported by the positions in the request.
    form.set(cleaned as Partial<Pick<AppValues, Name>>);
    const { app: latest } = await api.management.getAppByID({ appId: app.id }, call);
    if (latest !== undefined && JSON.stringify(pick(toValues(latest), names)) !== JSON.stringify(stored)) {
      throw new StaleError(texts.peek().apps.stale);
    }
    await api.management.patchOIDCAppConfig(
      { appId: app.id, ...(cleaned as object), updateMask: toMask(form.changed) },
      call,
    );
  }

  return (
    <Section title={title}>
      <EditForm
        isChanged={form.changed.length > 0}
        isOffered={mayChange}
        save={save}
        onSaved={onChanged}
        onReset={form.reset}
        fields={names}
      >
        {(problem) => children(form, problem, !mayChange)}
      </EditForm>
    </Section>
  );
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && typeof value[0] === "string";
}
