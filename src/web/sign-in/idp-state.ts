import { createSealedValues } from "../../crypto/sealed-values.ts";

/** The sign-in that a provider's response belongs to. */
export interface IdpState {
  /** Empty for a link on the account page. */
  readonly signInId: string;
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

/** The name of a user in the form that Apple sends with the first response (see `apple` in src/sign-in/kinds). */
export const IDP_NAMES = createSealedValues<{ readonly firstName: string; readonly lastName: string }>({
  table: "sign-in",
  column: "idp-name",
  validSeconds: 10 * 60,
});
