import { useState } from "preact/hooks";
import { inOrg } from "../../api/api.ts";
import { Page } from "../../parts/page.tsx";
import { ProblemNote } from "../../parts/problem-note.tsx";
import { Skeleton } from "../../parts/skeleton.tsx";
import { useSession } from "../../state/context.ts";
import { texts } from "../../state/language.ts";
import { usePermissions } from "../../state/permissions.ts";
import { useLoad } from "../../state/use-load.ts";
import { ActivationNote } from "./activation-note.tsx";
import { BrandingForm } from "./branding-form.tsx";
import { ImagesSection } from "./images-section.tsx";
import { LoginForm } from "./login-form.tsx";
import { type BrandingValues, type LoginValues, toBrandingValues, toLoginValues } from "./policy-values.ts";
import { Preview } from "./preview.tsx";

/** How the sign-in page of an organization looks, and who can sign in how, with a preview. */
export function SignInPage({ orgId }: { orgId: string }) {
  const { api } = useSession();
  const { signInPage: own } = texts.value;
  const permissions = usePermissions(orgId).value;
  const [branding, setBranding] = useState<BrandingValues>();
  const [login, setLogin] = useState<LoginValues>();
  const found = useLoad(`sign-in page ${orgId}`, async (signal) => {
    const call = inOrg(orgId, signal);
    const [preview, active, policy, org] = await Promise.all([
      api.management.getPreviewLabelPolicy({}, call),
      api.management.getLabelPolicy({}, call),
      api.management.getLoginPolicy({}, call),
      api.management.getMyOrg({}, call),
    ]);
    return { preview, active, login: policy, orgName: org.org?.name ?? "" };
  });
  const { value } = found;
  if (value === undefined || permissions === undefined) {
    return (
      <Page title={own.title}>
        <ProblemNote problem={found.problem} onRetry={found.reload} />
        {found.problem === undefined && <Skeleton isShown={found.isSlow} />}
      </Page>
    );
  }
  const { preview } = value;
  const parts = { orgId, mayChange: permissions.can("policy.write"), onChanged: found.reload };
  const storedBranding = toBrandingValues(preview.policy);
  const storedLogin = toLoginValues(value.login.policy);
  return (
    <Page title={own.title}>
      <ProblemNote problem={found.problem} onRetry={found.reload} />
      <div class="beside">
        <div>
          <ActivationNote {...parts} preview={preview} active={value.active} />
          <BrandingForm
            {...parts}
            key={`branding ${JSON.stringify(storedBranding)}`}
            isInherited={preview.isDefault}
            stored={storedBranding}
            onValues={setBranding}
          />
          <ImagesSection {...parts} policy={preview.policy} isInherited={preview.isDefault} />
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
          orgId={orgId}
          orgName={value.orgName}
          branding={branding ?? storedBranding}
          login={login ?? storedLogin}
          logo={preview.policy?.logoUrl ?? ""}
          logoDark={preview.policy?.logoUrlDark ?? ""}
          url={preview.previewUrl}
          mayReadProviders={permissions.can("org.idp.read")}
        />
      </div>
    </Page>
  );
}

/** What each part of the page gets. */
export interface SignInPart {
  readonly orgId: string;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}
