import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { EditForm } from "../../parts/edit-form.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import type { Permissions } from "../../state/permissions.ts";
import { useLoad } from "../../state/use-load.ts";
import { type Granted, PlacedCredentialsDialog } from "../members/placed-credentials-dialog.tsx";
import { RoleBoxes } from "../members/role-boxes.tsx";
import { orgRoleChoices } from "../members/roles.ts";
import { Section } from "./section.tsx";
import type { UserPart } from "./user-part.ts";

/** The roles of the user in the organization. */
export function RolesSection({ orgId, user, permissions, onChanged }: UserPart & { permissions: Permissions }) {
  const { api } = useSession();
  const { roles } = texts.value.user;
  const { id: userId } = user;
  const [given, setGiven] = useState<Granted & { readonly roles: string[] }>();
  const found = useLoad(`roles ${orgId} ${userId}`, async (signal) => {
    const queries = [{ query: { case: "userIdQuery" as const, value: { userId } } }];
    const { result } = await api.management.listOrgMembers({ queries }, inOrg(orgId, signal));
    return result.flatMap((member) => member.roles);
  });
  return (
    <Section title={roles.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {found.value && (
        <RolesForm
          key={found.value.join()}
          orgId={orgId}
          userId={userId}
          stored={found.value}
          mayChange={permissions.can("org.member.write")}
          onGiven={setGiven}
          onSaved={found.reload}
        />
      )}
      {given && (
        <PlacedCredentialsDialog
          credentials={given.placedCredentials}
          end={() => api.management.updateOrgMember({ userId, roles: given.roles, endCredentials: true }, inOrg(orgId))}
          onDone={() => {
            setGiven(undefined);
            onChanged();
          }}
        />
      )}
    </Section>
  );
}

interface RolesFormProps {
  readonly orgId: string;
  readonly userId: string;
  readonly stored: readonly string[];
  readonly mayChange: boolean;
  /** Called if others have placed credentials for the user, who got a role. */
  readonly onGiven: (given: Granted & { readonly roles: string[] }) => void;
  readonly onSaved: () => void;
}

function RolesForm({ orgId, userId, stored, mayChange, onGiven, onSaved }: RolesFormProps) {
  const { api } = useSession();
  const { roles } = texts.value.user;
  const [chosen, setChosen] = useState(stored);

  /** The API has a call for the first role, for other roles, and for none. */
  async function save() {
    const call = inOrg(orgId);
    const next = { userId, roles: [...chosen] };
    if (chosen.length === 0) {
      await api.management.removeOrgMember({ userId }, call);
      return;
    }
    const { placedCredentials } =
      stored.length === 0
        ? await api.management.addOrgMember(next, call)
        : await api.management.updateOrgMember(next, call);
    const isGiven = chosen.some((role) => !stored.includes(role));
    if (isGiven && placedCredentials.length > 0) onGiven({ placedCredentials, roles: next.roles });
  }

  return (
    <EditForm
      isChanged={[...chosen].sort().join() !== [...stored].sort().join()}
      isOffered={mayChange}
      save={save}
      onSaved={onSaved}
      onReset={() => setChosen(stored)}
      fields={[]}
    >
      {() => (
        <RoleBoxes
          label={roles.title}
          choices={orgRoleChoices(texts.value)}
          chosen={chosen}
          isDisabled={!mayChange}
          onChange={setChosen}
        />
      )}
    </EditForm>
  );
}
