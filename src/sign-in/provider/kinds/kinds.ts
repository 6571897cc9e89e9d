import type { IdpKind } from "../../../idps/kinds.ts";
import { apple } from "./apple.ts";
import { azure } from "./azure.ts";
import { github, githubEnterprise } from "./github.ts";
import { gitlab, gitlabSelfHosted } from "./gitlab.ts";
import { google } from "./google.ts";
import type { SignInKind } from "./kind.ts";
import { oauth } from "./oauth.ts";
import { oidc } from "./oidc.ts";
import { saml } from "./saml.ts";

/** How users sign in with each kind of provider. */
export const SIGN_IN_KINDS: Readonly<Record<IdpKind, SignInKind>> = {
  oidc,
  google,
  azure,
  apple,
  gitlab,
  gitlab_self_hosted: gitlabSelfHosted,
  github,
  github_es: githubEnterprise,
  oauth,
  saml,
};
