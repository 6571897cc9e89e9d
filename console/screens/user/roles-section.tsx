import { useState } from "preact/hooks";
import type { App } from "../../../gen/signet/v1/app_pb.js";
import { EditForm } from "../../parts/edit-form.tsx";
import { RoleBoxes } from "../../parts/role-boxes.tsx";
import { ProblemNote, Section } from "../../parts/screen.tsx";
import { texts } from "../../state/language.ts";
import { useApi } from "../../state/session.ts";
import { useForm } from "../../state/use-form.ts";
import { useLoad } from "../../state/use-load.ts";
import { type Granted, PlacedCredentialsDialog } from "../members/member-dialog.tsx";
import type { UserPart } from "./user-part.tsx";

/** The roles of the user in the organization. */
export function RolesSection(part: UserPart) {
  const { orgId, user } = part;
  const { management } = useApi(orgId);
  const { id: userId } = user;
  const found = useLoad(`roles ${orgId} ${userId}`, async (signal) => {
    const queries = [{ query: { case: "userIdQuery" as const, value: { userId } } }];
    const { result } = await management.listOrgMembers({ queries }, { signal });
    return result.flatMap((member) => member.roles);
  });
  return (
    <Section title={texts.value.user.roles.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value && <RolesForm {...part} stored={found.value} onSaved={found.reload} />}
    </Section>
  );
}

function RolesForm({ stored, onSaved, ...part }: UserPart & { stored: string[]; onSaved: () => void }) {
  const { orgId, user, permissions, onChanged } = part;
  const { management } = useApi(orgId);
  const { title, choices } = texts.value.user.roles;
  const [placed, setPlaced] = useState<Granted["placedCredentials"]>([]);
  const { id: userId } = user;
  const form = useForm({
    ...{ stored: { roles: stored.toSorted() }, isReadOnly: !permissions.can("org.member.write"), onSaved },
    /** The API has a call for the first role, for other roles, and for none. */
    async save({ roles }) {
      if (roles.length === 0) {
        await management.removeOrgMember({ userId });
        return;
      }
      const { placedCredentials } =
        stored.length === 0
          ? await management.addOrgMember({ userId, roles })
          : await management.updateOrgMember({ userId, roles });
      if (roles.some((role) => !stored.includes(role))) setPlaced(placedCredentials);
    },
  });
  const { roles } = form.values;
  return (
    <>
      <EditForm form={form}>
        <RoleBoxes label={title} choices={choices} {...form.field("roles")} />
      </EditForm>
      {placed.length > 0 && (
        <PlacedCredentialsDialog
          credentials={placed}
          end={() => management.updateOrgMember({ userId, roles, endCredentials: true })}
          onDone={() => {
            setPlaced([]);
            onChanged();
          }}
        />
      )}
    </>
  );
}

/** An organization with more has them managed by a program. */
const MOST_APPS = 100;

/** The roles of the user in the applications of the organization. */
export function AppRolesSection(part: UserPart) {
  const { orgId, user } = part;
  const { management } = useApi(orgId);
  const found = useLoad(`app roles ${user.id} ${user.details?.sequence}`, async (signal) => {
    const queries = [{ query: { case: "userIdQuery" as const, value: { userId: user.id } } }];
    const [apps, roles] = await Promise.all([
      management.listApps({ query: { asc: true, limit: MOST_APPS } }, { signal }),
      management.listUserAppRoles({ query: { limit: 1_000 }, queries }, { signal }),
    ]);
    return { apps: apps.result.filter((app) => rolesOf(app).length > 0), roles: roles.result };
  });
  const { value } = found;
  return (
    <Section title={texts.value.appRoles.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {value?.apps.length === 0 && <p class="quiet">{texts.value.appRoles.none}</p>}
      {value?.apps.map((app) => {
        const stored = value.roles.filter(({ appId }) => appId === app.id).map(({ role }) => role);
        return <AppForm key={app.id} {...part} app={app} stored={stored} />;
      })}
    </Section>
  );
}

function AppForm({ orgId, user, mayChange, onChanged, app, stored }: UserPart & { app: App; stored: string[] }) {
  const { management } = useApi(orgId);
  const form = useForm({
    ...{ stored: { roles: stored.toSorted() }, isReadOnly: !mayChange, onSaved: onChanged },
    async save({ roles }) {
      const target = { userId: user.id, appId: app.id };
      const added = roles.filter((role) => !stored.includes(role));
      const removed = stored.filter((role) => !roles.includes(role));
      if (added.length > 0) await management.addUserAppRoles({ ...target, roles: added });
      if (removed.length > 0) await management.removeUserAppRoles({ ...target, roles: removed });
    },
  });
  return (
    <EditForm form={form}>
      <h3>{app.name}</h3>
      <RoleBoxes
        label={app.name}
        choices={Object.fromEntries(rolesOf(app).map((role) => [role, { name: role, meaning: "" }]))}
        {...form.field("roles")}
      />
    </EditForm>
  );
}

function rolesOf({ config }: App): readonly string[] {
  return config.case === "oidcConfig" ? config.value.roles : [];
}
