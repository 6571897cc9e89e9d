import type { CallOptions } from "@connectrpc/connect";
import type { Api } from "../../api/api.ts";
import type { ProviderKind } from "./kinds.ts";
import type { ProviderRequest } from "./provider-values.ts";

type Add = (request: ProviderRequest, options?: CallOptions) => Promise<{ readonly id: string }>;
type Update = (request: ProviderRequest & { id: string }, options?: CallOptions) => Promise<unknown>;

/** The calls that add and change the providers of an organization, or of the instance. */
export function toWriteCalls(
  api: Api,
  isOfInstance: boolean,
): Readonly<Record<ProviderKind, { readonly add: Add; readonly update: Update }>> {
  return isOfInstance
    ? {
        google: { add: api.admin.addGoogleProvider, update: api.admin.updateGoogleProvider },
        microsoft: { add: api.admin.addAzureADProvider, update: api.admin.updateAzureADProvider },
        apple: { add: api.admin.addAppleProvider, update: api.admin.updateAppleProvider },
        github: { add: api.admin.addGitHubProvider, update: api.admin.updateGitHubProvider },
        githubServer: {
          add: api.admin.addGitHubEnterpriseServerProvider,
          update: api.admin.updateGitHubEnterpriseServerProvider,
        },
        gitlab: { add: api.admin.addGitLabProvider, update: api.admin.updateGitLabProvider },
        gitlabServer: { add: api.admin.addGitLabSelfHostedProvider, update: api.admin.updateGitLabSelfHostedProvider },
        oidc: { add: api.admin.addGenericOIDCProvider, update: api.admin.updateGenericOIDCProvider },
        oauth: { add: api.admin.addGenericOAuthProvider, update: api.admin.updateGenericOAuthProvider },
        saml: { add: api.admin.addSAMLProvider, update: api.admin.updateSAMLProvider },
      }
    : {
        google: { add: api.management.addGoogleProvider, update: api.management.updateGoogleProvider },
        microsoft: { add: api.management.addAzureADProvider, update: api.management.updateAzureADProvider },
        apple: { add: api.management.addAppleProvider, update: api.management.updateAppleProvider },
        github: { add: api.management.addGitHubProvider, update: api.management.updateGitHubProvider },
        githubServer: {
          add: api.management.addGitHubEnterpriseServerProvider,
          update: api.management.updateGitHubEnterpriseServerProvider,
        },
        gitlab: { add: api.management.addGitLabProvider, update: api.management.updateGitLabProvider },
        gitlabServer: {
          add: api.management.addGitLabSelfHostedProvider,
          update: api.management.updateGitLabSelfHostedProvider,
        },
        oidc: { add: api.management.addGenericOIDCProvider, update: api.management.updateGenericOIDCProvider },
        oauth: { add: api.management.addGenericOAuthProvider, update: api.management.updateGenericOAuthProvider },
        saml: { add: api.management.addSAMLProvider, update: api.management.updateSAMLProvider },
      };
}

/** The other calls, which are the same for all kinds. */
export function toCalls(api: Api, isOfInstance: boolean) {
  return isOfInstance
    ? {
        list: api.admin.listProviders,
        get: api.admin.getProviderByID,
        check: api.admin.checkProvider,
        deactivate: api.admin.deactivateIDP,
        reactivate: api.admin.reactivateIDP,
        remove: api.admin.deleteProvider,
      }
    : {
        list: api.management.listProviders,
        get: api.management.getProviderByID,
        check: api.management.checkProvider,
        deactivate: api.management.deactivateOrgIDP,
        reactivate: api.management.reactivateOrgIDP,
        remove: api.management.deleteProvider,
      };
}
