import { useState } from "preact/hooks";
import { type Org, OrgState } from "../../../gen/signet/v1/org_pb.js";
import { inOrg } from "../../api/api.ts";
import { ActiveState } from "../../parts/active-state.tsx";
import { ConfirmDialog } from "../../parts/confirm-dialog.tsx";
import { Copyable } from "../../parts/copyable.tsx";
import { EditForm } from "../../parts/edit-form.tsx";
import { Field } from "../../parts/field.tsx";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { Time } from "../../parts/time.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { usePermissions } from "../../state/permissions.ts";
import { orgChanges } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { MembersSection } from "./members-section.tsx";
import { RemoveSection } from "./remove-section.tsx";

/** The settings of an organization: its name and state. */
export function OrgScreen({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { orgs } = texts.value;
  const permissions = usePermissions(orgId).value;
  const found = useLoad(`settings ${orgId}`, async (signal) => {
    return (await api.management.getMyOrg({}, inOrg(orgId, signal))).org;
  });
  const org = found.value;
  return (
    <Page title={orgs.settings}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      {(org === undefined || permissions === undefined) && found.problem === undefined && (
        <Skeleton isShown={found.isSlow} />
      )}
      {org && permissions && (
        <Settings
          key={String(org.details?.sequence)}
          org={org}
          mayChange={permissions.can("org.write")}
          onChanged={() => {
            orgChanges.value += 1;
            found.reload();
          }}
        />
      )}
      {org && permissions?.can("org.member.read") && (
        <MembersSection orgId={orgId} mayChange={permissions.can("org.member.write")} />
      )}
      {org && permissions && <RemoveSection org={org} permissions={permissions} />}
    </Page>
  );
}

interface SettingsProps {
  readonly org: Org;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

function Settings({ org, mayChange, onChanged }: SettingsProps) {
  const { api } = useSession();
  const { orgs } = texts.value;
  const [name, setName] = useState(org.name);
  return (
    <>
      <dl>
        <dt>{orgs.id}</dt>
        <dd>
          <Copyable text={org.id} />
        </dd>
        <dt>{orgs.state}</dt>
        <dd>
          <ActiveState isActive={org.state === OrgState.ACTIVE} />
        </dd>
        <dt>{orgs.created}</dt>
        <dd>
          <Time at={org.details?.creationDate} />
        </dd>
        {org.primaryDomain && (
          <>
            <dt>{orgs.domain}</dt>
            <dd>{org.primaryDomain}</dd>
          </>
        )}
      </dl>
      <EditForm
        isChanged={name !== org.name}
        isOffered={mayChange}
        save={() => api.management.updateOrg({ name }, inOrg(org.id))}
        onSaved={onChanged}
        onReset={() => setName(org.name)}
        fields={["name"]}
        button={orgs.rename}
      >
        {(problem) => (
          <Field
            label={orgs.name}
            value={name}
            onInput={setName}
            problem={problem}
            path="name"
            isRequired
            isReadOnly={!mayChange}
          />
        )}
      </EditForm>
      {mayChange && <StateButton org={org} onChanged={onChanged} />}
    </>
  );
}

function StateButton({ org, onChanged }: { org: Org; onChanged: () => void }) {
  const { api } = useSession();
  const { orgs } = texts.value;
  const [isAsking, setAsking] = useState(false);
  const isActive = org.state === OrgState.ACTIVE;
  const label = isActive ? orgs.deactivate : orgs.reactivate;
  const change = () =>
    isActive ? api.management.deactivateOrg({}, inOrg(org.id)) : api.management.reactivateOrg({}, inOrg(org.id));
  return (
    <div class="buttons">
      <button type="button" class={isActive ? "secondary danger" : "secondary"} onClick={() => setAsking(true)}>
        {label}
      </button>
      {isAsking && (
        <ConfirmDialog
          title={`${label}: ${org.name}`}
          button={label}
          isDangerous={isActive}
          change={change}
          onDone={() => {
            setAsking(false);
            onChanged();
          }}
          onClose={() => setAsking(false)}
        >
          {isActive && <p>{orgs.deactivateText}</p>}
        </ConfirmDialog>
      )}
    </div>
  );
}
