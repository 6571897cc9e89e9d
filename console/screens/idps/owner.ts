import { IDPOwnerType } from "../../../gen/signet/v1/idp_config_pb.js";
import type { Provider } from "../../../gen/signet/v1/provider_pb.js";
import type { Api } from "../../api/api.ts";
import { toPath } from "../../state/paths.ts";
import { usePermissions } from "../../state/permissions.ts";
import { useApi, useSession } from "../../state/session.ts";
import type { ProviderKind } from "./kinds.ts";
import type { ProviderRequest } from "./provider-values.ts";

/** Whose providers a page shows. */
export type ProviderOwner = ReturnType<typeof useOwner>;

/** @param orgId Undefined for the providers of the instance, with which users of all organizations can sign in. */
export function useOwner(orgId: string | undefined) {
  const { me } = useSession();
  const api = useApi(orgId);
  const permissions = usePermissions(orgId ?? me.orgId).value;
  const can = (name: string) => permissions?.can(name) ?? false;
  const list = orgId === undefined ? toPath({ page: "instanceIdps" }) : toPath({ page: "idps", orgId });
  return {
    orgId,
    /** Whether the person may change them; undefined until it is known. */
    mayChange: permissions?.can(orgId === undefined ? "iam.idp.write" : "org.idp.write"),
    /** Whether the person may trust the addresses of a provider. */
    mayTrust: can("user.write") && can("org.member.write") && (orgId !== undefined || can("iam.member.write")),
    calls: toCalls(api, orgId === undefined),
    /** The address of the list, of a provider, or of a new one. */
    pathTo: (id?: string) => (id === undefined ? list : `${list}/${id}`),
    owns: ({ owner }: Provider) => orgId === undefined || owner === IDPOwnerType.IDP_OWNER_TYPE_ORG,
  };
}

type Update = (request: ProviderRequest & { id: string }) => Promise<unknown>;

/** The calls. Those of the instance mostly have the same names as those of organizations. */
function toCalls(api: Api, isOfInstance: boolean) {
  const { management } = api;
  const either = isOfInstance ? api.admin : management;
  const update: Readonly<Record<ProviderKind, Update>> = {
    google: either.updateGoogleProvider,
    microsoft: either.updateAzureADProvider,
    apple: either.updateAppleProvider,
    github: either.updateGitHubProvider,
    githubServer: either.updateGitHubEnterpriseServerProvider,
    gitlab: either.updateGitLabProvider,
    gitlabServer: either.updateGitLabSelfHostedProvider,
    oidc: either.updateGenericOIDCProvider,
    oauth: either.updateGenericOAuthProvider,
    saml: either.updateSAMLProvider,
  };
  return {
    ...{ list: either.listProviders, get: either.getProviderByID, addDraft: either.addProviderDraft },
    ...{ check: either.checkProvider, remove: either.deleteProvider, update },
    ...(isOfInstance
      ? { deactivate: api.admin.deactivateIDP, reactivate: api.admin.reactivateIDP }
      : { deactivate: management.deactivateOrgIDP, reactivate: management.reactivateOrgIDP }),
  };
}
