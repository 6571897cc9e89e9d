import { ItemScreen } from "../../parts/screen.tsx";
import { Tabs } from "../../parts/tabs.tsx";
import { texts } from "../../state/language.ts";
import { toPath } from "../../state/paths.ts";
import { useApi, useSession } from "../../state/session.ts";
import { useLoad } from "../../state/use-load.ts";
import { ActivationNote, BrandingForm, ImagesSection, isActive } from "./branding-form.tsx";
import { LoginForm } from "./login-form.tsx";
import { type PolicyCalls, type SignInPart, toPolicyCalls } from "./policy-calls.ts";
import { toBrandingValues, toLoginValues } from "./policy-values.ts";
import { Preview } from "./preview.tsx";

/**
 * How the sign-in page of an organization looks, and who can sign in how, with a preview.
 *
 * @param orgId Undefined for the instance, whose settings organizations without their own have.
 */
export function SignInPage({ orgId }: { orgId?: string }) {
  const { me } = useSession();
  const { title } = texts.value.signInPage;
  const owner = orgId === undefined ? "instance" : "org";
  const calls = toPolicyCalls(useApi(orgId), orgId === undefined);
  const found = useLoad(`sign-in page ${orgId}`, (signal) => loadPolicies(calls, signal));
  return (
    <ItemScreen orgId={orgId ?? me.orgId} kind={title[owner]} found={found}>
      {(policies, { can }) => (
        <>
          {orgId !== undefined && can("iam.policy.read") && (
            <p>
              <a href={toPath({ page: "instanceSignInPage" })}>{title.instance}</a>
            </p>
          )}
          <Parts
            {...{ ...policies, calls, owner, onChanged: found.reload }}
            mayChange={can(orgId === undefined ? "iam.policy.write" : "policy.write")}
          />
        </>
      )}
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

function Parts({ preview, active, login, ...part }: SignInPart & Awaited<ReturnType<typeof loadPolicies>>) {
  const { signInPage: own } = texts.value;
  const { policy, previewUrl } = preview;
  const isInherited = policy?.isDefault ?? false;
  const brandingTab = () => (
    <>
      <BrandingForm
        {...{ ...part, isInherited, stored: toBrandingValues(policy) }}
        inherited={isInherited ? undefined : active.instancePolicy && toBrandingValues(active.instancePolicy)}
      />
      <ImagesSection {...part} policy={policy} isLater={isInherited && part.owner === "org"} />
      <ActivationNote {...part} preview={policy} active={active.policy} />
    </>
  );
  const loginTab = () =>
    login.policy && (
      <LoginForm
        {...{ ...part, policy: login.policy, isInherited: login.isDefault }}
        inherited={login.isDefault ? undefined : login.instancePolicy && toLoginValues(login.instancePolicy)}
      />
    );
  return (
    <div class="beside">
      <div>
        <Tabs
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
