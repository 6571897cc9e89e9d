import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { ItemScreen } from "../../parts/screen.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { texts } from "../../state/language.ts";
import { toPath } from "../../state/paths.ts";
import { type Permissions, usePermissions } from "../../state/permissions.ts";
import { useSession } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { ActivationNote, BrandingForm, ImagesSection, isActive } from "./branding-form.tsx";
import { LoginForm } from "./login-form.tsx";
import { type PolicyCalls, toPolicyCalls } from "./policy-calls.ts";
import { type BrandingValues, type LoginValues, toBrandingValues, toLoginValues } from "./policy-values.ts";
import { Preview, usePicturedProviders } from "./preview.tsx";

/**
 * How the sign-in page of an organization looks, and who can sign in how, with a preview.
 *
 * @param orgId Undefined for the instance, whose settings organizations without their own have.
 */
export function SignInPage({ orgId, tab }: { orgId?: string; tab?: string | undefined }) {
  const { api, me } = useSession();
  const { title } = texts.value.signInPage;
  const permissions = usePermissions(orgId ?? me.orgId).value;
  const calls = toPolicyCalls(api, orgId);
  const found = useLoad(`sign-in page ${orgId}`, (signal) => loadPolicies(calls, signal));
  const org = useLoad(orgId && `name ${orgId}`, async (signal) => {
    return (await api.management.getMyOrg({}, inOrg(orgId ?? "", signal))).org?.name;
  });
  return (
    <ItemScreen kind={title[orgId === undefined ? "instance" : "org"]} found={found}>
      {(policies) =>
        permissions && (
          <>
            {orgId !== undefined && permissions.can("iam.policy.read") && (
              <p>
                <a href={toPath({ page: "instanceSignInPage" })}>{title.instance}</a>
              </p>
            )}
            <Parts {...{ orgId, tab, calls, policies, permissions, orgName: org.value, onChanged: found.reload }} />
          </>
        )
      }
    </ItemScreen>
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
  readonly orgName: string | undefined;
  readonly calls: PolicyCalls;
  readonly policies: Awaited<ReturnType<typeof loadPolicies>>;
  readonly permissions: Permissions;
  readonly onChanged: () => void;
}

function Parts({ orgId, tab, orgName, calls, policies, permissions, onChanged }: PartsProps) {
  const [branding, setBranding] = useState<BrandingValues>();
  const [login, setLogin] = useState<LoginValues>();
  const { policy, previewUrl } = policies.preview;
  const isInherited = policy?.isDefault ?? false;
  const ofInstance = orgId === undefined;
  const owner = ofInstance ? "instance" : "org";
  const mayChange = permissions.can(ofInstance ? "iam.policy.write" : "policy.write");
  const parts = { calls, owner, mayChange, onChanged } as const;
  const stored = { branding: toBrandingValues(policy), login: toLoginValues(policies.login.policy) };
  const { signInPage: own, user } = texts.value;
  const { active } = policies;
  const brandingTab = () => (
    <>
      <BrandingForm
        {...parts}
        isInherited={isInherited}
        inherited={
          isInherited || active.instancePolicy === undefined ? undefined : toBrandingValues(active.instancePolicy)
        }
        stored={stored.branding}
        onValues={setBranding}
      />
      <ImagesSection {...parts} policy={policy} isLater={isInherited && !ofInstance} />
      <ActivationNote {...parts} preview={policy} active={active.policy} />
    </>
  );
  const loginTab = () =>
    policies.login.policy && (
      <LoginForm
        {...parts}
        policy={policies.login.policy}
        isInherited={policies.login.isDefault}
        inherited={policies.login.isDefault ? undefined : policies.login.instancePolicy}
        onValues={setLogin}
      />
    );
  const preview = {
    ...{ orgName: orgName ?? own.picture.org, url: previewUrl },
    login: (tab !== undefined && login) || stored.login,
    providers: usePicturedProviders(
      calls,
      orgId ?? "instance",
      permissions.can(ofInstance ? "iam.idp.read" : "org.idp.read"),
    ),
  };
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
      <div class="preview">
        <Preview
          {...preview}
          title={isActive(policy, active.policy) ? own.preview : own.draft}
          branding={(tab === undefined && branding) || stored.branding}
          policy={policy}
        />
        {!isActive(policy, active.policy) && (
          <Preview {...preview} title={own.live} branding={toBrandingValues(active.policy)} policy={active.policy} />
        )}
      </div>
    </div>
  );
}
