import { errors, interactionPolicy, type KoaContextWithOIDC, Provider } from "oidc-provider";
import { acrFor } from "./acr.ts";

/** The claims of a token that is being issued: a model of oidc-provider that it does not declare. */
interface RequestedClaims {
  readonly ctx?: KoaContextWithOIDC | undefined;
  /** What is requested of each claim. */
  readonly filter: Readonly<Record<string, unknown>>;
}

export type SelectClaims = (this: RequestedClaims) => Promise<Record<string, unknown>>;

/** Puts the subject and the requested `acr` in ID tokens. */
export function presentSubject(selectClaims: SelectClaims): SelectClaims {
  return async function resultWithSubject() {
    const claims = await selectClaims.call(this);
    const sub = claims.sub === undefined ? undefined : subjectIn(this.ctx);
    return {
      ...claims,
      ...(sub !== undefined && { sub }),
      ...(typeof claims.acr === "string" && { acr: acrFor(this.filter.acr, claims.acr) }),
    };
  };
}

/** The claim `sub` of the account of a request; undefined if it has none. */
function subjectIn(ctx: KoaContextWithOIDC | undefined): string | undefined {
  return ctx?.oidc?.account?.subject as string | undefined;
}

/** The claim `sub` of the token that the current request issues. */
export function currentSubject(): string | undefined {
  return subjectIn((Provider as unknown as { readonly ctx?: KoaContextWithOIDC }).ctx);
}

/**
 * Compares a `sub` that an application expects with that of the account.
 *
 * Replaces the function of oidc-provider's own conditions, which compare it with the account's id.
 */
export function compareSubjects(checks: readonly interactionPolicy.Check[]): void {
  const { NO_NEED_TO_PROMPT, REQUEST_PROMPT } = interactionPolicy.Check;
  for (const [reason, toSub] of Object.entries(EXPECTED_SUBJECTS)) {
    const found = checks.find((check) => check.reason === reason);
    if (found === undefined) throw new Error(`oidc-provider has no condition ${reason}`);
    found.check = (ctx) => {
      const sub = toSub(ctx);
      if (sub === undefined || sub === subjectIn(ctx)) return NO_NEED_TO_PROMPT;
      // The user has just signed in, and would only be asked again.
      if (ctx.oidc.result?.login !== undefined) throw new errors.LoginRequired(found.description);
      return REQUEST_PROMPT;
    };
  }
}

/** By condition, the `sub` that the request names (OpenID Connect Core 1.0, sections 3.1.2.1 and 5.5.1). */
const EXPECTED_SUBJECTS: Readonly<Record<string, (ctx: KoaContextWithOIDC) => unknown>> = {
  id_token_hint: ({ oidc }) => oidc.entities.IdTokenHint?.payload.sub,
  claims_id_token_sub_value: ({ oidc }) => {
    const { id_token } = oidc.claims as { readonly id_token?: { readonly sub?: { readonly value?: unknown } | null } };
    return id_token?.sub?.value;
  },
};
