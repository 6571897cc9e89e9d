import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { usePermissions } from "../../state/permissions.ts";
import { toPath } from "../../state/routes.ts";
import { useLoad } from "../../state/use-load.ts";
import { ActivationNote } from "./activation-note.tsx";
import { BrandingForm } from "./branding-form.tsx";
import { ImagesSection } from "./images-section.tsx";
import { LoginForm } from "./login-form.tsx";
import { type PolicyCalls, toPolicyCalls } from "./policy-calls.ts";
import { type BrandingValues, type LoginValues, toBrandingValues, toLoginValues } from "./policy-values.ts";
import { Preview } from "./preview.tsx";

/**
 * How the sign-in page of an organization looks, and who can sign in how, with a preview.
 *
 * @param orgId Undefined for the instance, whose settings organizations without their own have.
 */
export function SignInPage({ orgId }: { orgId?: string }) {
  const { api, me } = useSession();
  const { signInPage: own } = texts.value;
  const permissions = usePermissions(orgId ?? me.orgId).value;
  const [branding, setBranding] = useState<BrandingValues>();
  const [login, setLogin] = useState<LoginValues>();
  const calls = toPolicyCalls(api, orgId);
  const owner = orgId === undefined ? "instance" : "org";
  const found = useLoad(`sign-in page ${orgId}`, async (signal) => {
    const [preview, active, policy, orgName] = await Promise.all([
      calls.preview(signal),
      calls.active(signal),
      calls.login(signal),
      orgId && api.management.getMyOrg({}, inOrg(orgId, signal)).then(({ org }) => org?.name),
    ]);
    return { preview, active, login: policy, orgName };
  });
  const { value } = found;
  const title = own.title[owner];
  if (value === undefined || permissions === undefined) {
    return (
      <Page title={title}>
        <ProblemNote problem={found.problem} onRetry={found.reload} />
        {found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      </Page>
    );
  }
  const {
    preview: { policy, previewUrl },
  } = value;
  const may = (part: string) => permissions.can(orgId === undefined ? `iam.${part}` : part);
  const parts = { calls, owner, mayChange: may("policy.write"), onChanged: found.reload } as const;
  const isInherited = policy?.isDefault ?? false;
  const storedBranding = toBrandingValues(policy);
  const storedLogin = toLoginValues(value.login.policy);
  return (
    <Page title={title}>
      {orgId !== undefined && permissions.can("iam.policy.read") && (
        <p>
          <a href={toPath({ page: "instanceSignInPage" })}>{own.title.instance}</a>
        </p>
      )}
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <div class="beside">
        <div>
          <ActivationNote {...parts} preview={policy} active={value.active.policy} />
          <BrandingForm
            {...parts}
            key={`branding ${JSON.stringify(storedBranding)}`}
            isInherited={isInherited}
            stored={storedBranding}
            onValues={setBranding}
          />
          <ImagesSection {...parts} policy={policy} isLater={isInherited && orgId !== undefined} />
          {value.login.policy && (
            <LoginForm
              {...parts}
              key={`login ${JSON.stringify(storedLogin)}`}
              policy={value.login.policy}
              isInherited={value.login.isDefault}
              onValues={setLogin}
            />
          )}
        </div>
        <Preview
          calls={calls}
          ownerId={orgId ?? "instance"}
          orgName={value.orgName ?? own.picture.org}
          branding={branding ?? storedBranding}
          login={login ?? storedLogin}
          logo={policy?.logoUrl ?? ""}
          logoDark={policy?.logoUrlDark ?? ""}
          url={previewUrl}
          mayReadProviders={permissions.can(orgId === undefined ? "iam.idp.read" : "org.idp.read")}
        />
      </div>
    </Page>
  );
}

/** What each part of the page gets. */
export interface SignInPart {
  readonly calls: PolicyCalls;
  /** Whose settings the page shows. */
  readonly owner: "org" | "instance";
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}
