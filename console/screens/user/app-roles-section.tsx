import { useState } from "preact/hooks";
import type { App } from "../../../gen/signet/v1/app_pb.js";
import { inOrg } from "../../api/api.ts";
import { EditForm } from "../../parts/edit-form.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { useLoad } from "../../state/use-load.ts";
import { RoleBoxes } from "../members/role-boxes.tsx";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

/** An organization with more has them managed by a program. */
const MOST_APPS = 100;

/** The roles of the user in the applications of the organization. Nothing if no application has roles. */
export function AppRolesSection({ orgId, user, mayChange, onChanged }: UserPart) {
  const { api } = useSession();
  const { appRoles } = texts.value;
  const { id: userId } = user;
  const found = useLoad(`app roles ${userId} ${user.details?.sequence}`, async (signal) => {
    const call = inOrg(orgId, signal);
    const queries = [{ query: { case: "userIdQuery" as const, value: { userId } } }];
    const [apps, roles] = await Promise.all([
      api.management.listApps({ query: { asc: true, limit: MOST_APPS } }, call),
      api.management.listUserAppRoles({ query: { limit: 1_000 }, queries }, call),
    ]);
    return { apps: apps.result.filter((app) => rolesOf(app).length > 0), roles: roles.result };
  });
  const { value } = found;
  if (value?.apps.length === 0) return null;
  return (
    <Section title={appRoles.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value?.apps.map((app) => {
        const stored = value.roles.filter(({ appId }) => appId === app.id).map(({ role }) => role);
        return (
          <AppForm
            key={`${app.id} ${stored}`}
            app={app}
            stored={stored}
            mayChange={mayChange}
            save={async (added, removed) => {
              const target = { userId, appId: app.id };
              const call = inOrg(orgId);
              if (added.length > 0) await api.management.addUserAppRoles({ ...target, roles: added }, call);
              if (removed.length > 0) await api.management.removeUserAppRoles({ ...target, roles: removed }, call);
            }}
            onSaved={onChanged}
          />
        );
      })}
    </Section>
  );
}

interface AppFormProps {
  readonly app: App;
  readonly stored: readonly string[];
  readonly mayChange: boolean;
  readonly save: (added: string[], removed: string[]) => Promise<void>;
  readonly onSaved: () => void;
}

function AppForm({ app, stored, mayChange, save, onSaved }: AppFormProps) {
  const [chosen, setChosen] = useState<readonly string[]>(stored);
  const added = chosen.filter((role) => !stored.includes(role));
  const removed = stored.filter((role) => !chosen.includes(role));
  return (
    <EditForm
      isChanged={added.length + removed.length > 0}
      isOffered={mayChange}
      save={() => save(added, removed)}
      onSaved={onSaved}
      onReset={() => setChosen(stored)}
      fields={[]}
    >
      {() => (
        <>
          <h3>{app.name}</h3>
          <RoleBoxes
            label={app.name}
            choices={rolesOf(app).map((role) => ({ role, name: role, meaning: "" }))}
            chosen={chosen}
            isDisabled={!mayChange}
            onChange={setChosen}
          />
        </>
      )}
    </EditForm>
  );
}

function rolesOf({ config }: App): readonly string[] {
  return config.case === "oidcConfig" ? config.value.roles : [];
}
