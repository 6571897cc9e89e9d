import { OrgItemScreen } from "../../parts/screen.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { texts } from "../../state/language.ts";
import { toPath } from "../../state/paths.ts";
import type { Permissions } from "../../state/permissions.ts";
import { useApi, useSession } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { ActivationNote, BrandingForm, ImagesSection, isActive } from "./branding-form.tsx";
import { LoginForm } from "./login-form.tsx";
import { type PolicyCalls, toPolicyCalls } from "./policy-calls.ts";
import { toBrandingValues, toLoginValues } from "./policy-values.ts";
import { Preview } from "./preview.tsx";

/**
 * How the sign-in page of an organization looks, and who can sign in how, with a preview.
 *
 * @param orgId Undefined for the instance, whose settings organizations without their own have.
 */
export function SignInPage({ orgId, tab }: { orgId?: string; tab?: string | undefined }) {
  const { me } = useSession();
  const api = useApi(orgId);
  const { title } = texts.value.signInPage;
  const calls = toPolicyCalls(api, orgId === undefined);
  const found = useLoad(`sign-in page ${orgId}`, (signal) => loadPolicies(calls, signal));
  return (
    <OrgItemScreen orgId={orgId ?? me.orgId} kind={title[orgId === undefined ? "instance" : "org"]} found={found}>
      {(policies, permissions) => (
        <>
          {orgId !== undefined && permissions.can("iam.policy.read") && (
            <p>
              <a href={toPath({ page: "instanceSignInPage" })}>{title.instance}</a>
            </p>
          )}
          <Parts {...{ orgId, tab, calls, policies, permissions, onChanged: found.reload }} />
        </>
      )}
    </OrgItemScreen>
  );
}

async function loadPolicies(calls: PolicyCalls, signal: AbortSignal) {
  const [preview, active, login] = await Promise.all([
    calls.preview(signal),
    calls.active(signal),
    calls.login(signal),
  ]);
  return { preview, active, login };
}

interface PartsProps {
  readonly orgId: string | undefined;
  readonly tab: string | undefined;
  readonly calls: PolicyCalls;
  readonly policies: Awaited<ReturnType<typeof loadPolicies>>;
  readonly permissions: Permissions;
  readonly onChanged: () => void;
}

function Parts({ orgId, tab, calls, policies, permissions, onChanged }: PartsProps) {
  const { policy, previewUrl } = policies.preview;
  const isInherited = policy?.isDefault ?? false;
  const ofInstance = orgId === undefined;
  const owner = ofInstance ? "instance" : "org";
  const mayChange = permissions.can(ofInstance ? "iam.policy.write" : "policy.write");
  const parts = { calls, owner, mayChange, onChanged } as const;
  const { signInPage: own, user } = texts.value;
  const { active, login } = policies;
  const brandingTab = () => (
    <>
      <BrandingForm
        {...parts}
        isInherited={isInherited}
        inherited={isInherited ? undefined : active.instancePolicy && toBrandingValues(active.instancePolicy)}
        stored={toBrandingValues(policy)}
      />
      <ImagesSection {...parts} policy={policy} isLater={isInherited && !ofInstance} />
      <ActivationNote {...parts} preview={policy} active={active.policy} />
    </>
  );
  const loginTab = () =>
    login.policy && (
      <LoginForm
        {...parts}
        policy={login.policy}
        isInherited={login.isDefault}
        inherited={login.isDefault ? undefined : login.instancePolicy && toLoginValues(login.instancePolicy)}
      />
    );
  return (
    <div class="beside">
      <div>
        <Tabs
          label={user.tabs.label}
          path={toPath(ofInstance ? { page: "instanceSignInPage" } : { page: "signInPage", orgId })}
          current={tab}
          tabs={[
            { name: "", title: own.branding, show: brandingTab },
            { name: "policy", title: own.login, show: loginTab },
          ]}
        />
      </div>
      <Preview url={previewUrl} isDraft={!isActive(policy, active.policy)} />
    </div>
  );
}
