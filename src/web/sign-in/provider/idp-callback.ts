import { z } from "zod";
import { createSealedValues, type SealedParts } from "../../../crypto/sealed-values.ts";
import { LINK_CALLBACK_PATH, TEST_RESULT_PATH } from "../../frame/account-app.ts";
import type { PageResponse, PageRoute, Visit } from "../../frame/page.ts";
import { redirect } from "../../frame/responses.ts";
import { endedPage } from "../ended-page.ts";
import { stepPath } from "../steps.ts";

/** The parameters of a provider's response that Signet uses (RFC 6749, section 4.1.2; RFC 9207). */
export const RESPONSE_PARAMETERS = ["state", "code", "iss", "error", "error_description"] as const;

/**
 * `/ui/idps/<id>/callback`: redirects a provider's response to its sign-in, or to the account page, which check whether
 * this browser started it. Apple sends it as a form, to which browsers add no cookies of this site; they do to the redirect. Returns the
 * route of a path; undefined if there is none.
 */
export function findCallbackRoute(path: string): PageRoute<SealedParts> | undefined {
  const [, idpId] = /^\/ui\/idps\/([0-9a-f-]{36})\/callback$/.exec(path) ?? [];
  if (idpId === undefined) return undefined;
  return {
    get: (parts, visit) => forward(parts, visit, idpId, visit.request.query),
    postForm: async (parts, visit, form) => forward(parts, visit, idpId, form),
    acceptsOtherSites: true,
  };
}

function forward(parts: SealedParts, visit: Visit, idpId: string, response: URLSearchParams): PageResponse {
  const state = IDP_STATES.open(parts, idpId, response.get("state") ?? "");
  if (state === undefined) return endedPage(visit, undefined);
  const forwarded = new URLSearchParams({ idp: idpId });
  for (const name of RESPONSE_PARAMETERS) for (const value of response.getAll(name)) forwarded.append(name, value);
  const name = readName(response.get("user") ?? "");
  if (name !== undefined) forwarded.set("name", IDP_NAMES.seal(parts, idpId, name));
  return continueWith(state, forwarded);
}

/** Redirects a response to its sign-in or to the account page, with the cookies of this site. */
export function continueWith(state: IdpState, response: URLSearchParams): PageResponse {
  // The session of the browser decides whose account it is.
  if (state.signInId === "") {
    return redirect(`${state.isTest === true ? TEST_RESULT_PATH : LINK_CALLBACK_PATH}?${response}`);
  }
  const path = stepPath({ id: state.signInId, app: { id: state.appId } }, "idp");
  return redirect(`${path}&${response}`);
}

/** More than any name has. */
const LONGEST_USER = 2_000;

/** The parameter `user` of Apple: JSON with the name, at the first sign-in only. */
function readName(user: string): { readonly firstName: string; readonly lastName: string } | undefined {
  if (user === "" || user.length > LONGEST_USER) return undefined;
  try {
    return USER.parse(JSON.parse(user)).name;
  } catch {
    return undefined;
  }
}

const USER = z.object({ name: z.object({ firstName: z.string(), lastName: z.string() }) });

/** The sign-in that a provider's response belongs to. */
export interface IdpState {
  /** Empty for a link on the account page, and for a test. */
  readonly signInId: string;
  readonly isTest?: true;
  /** The application, for the page shown after the sign-in has ended. */
  readonly appId: string;
}

/**
 * The parameter `state` of the request to a provider. It is encrypted, because the provider does not need to know the
 * application. It outlives the attempt and the browser's cookie by far, so that a user who comes back late can start
 * again at the application. The `RelayState` of SAML has no room for it, so it waits with the attempt.
 */
export const IDP_STATES = createSealedValues<IdpState>({
  table: "sign-in",
  column: "idp-state",
  validSeconds: 24 * 60 * 60,
});

/** The name of a user in the form that Apple sends with the first response (see `apple` in src/sign-in/provider/kinds). */
export const IDP_NAMES = createSealedValues<{ readonly firstName: string; readonly lastName: string }>({
  table: "sign-in",
  column: "idp-name",
  validSeconds: 10 * 60,
});
