import { create } from "@bufbuild/protobuf";
import { AddPasswordlessRegistrationRequestSchema } from "../../../gen/signet/v1/user_credential_pb.js";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { toOwnCall } from "../../sign-in/own-call.ts";
import { declinePasskey, lacksPasskey } from "../../sign-in/passkey-offer.ts";
import type { Proof } from "../../sign-in/proof.ts";
import { addPasskeyRegistration } from "../../users/add-passkey-registration.ts";
import type { PageResponse, Visit } from "../frame/page.ts";
import type { GateForm } from "./gate-pages.ts";
import { ADD, addPasskeyPage, LATER, offerPage } from "./passkey-offer-pages.ts";
import type { SignInContext } from "./sign-in-context.ts";
import type { SignInRequest } from "./sign-in-requests.ts";

/** Offers a passkey, once, to a user who has signed in with a password and has no passkey. */
export function createPasskeyOffer(context: SignInContext) {
  const { config, db } = context;
  const isPossible = config.passkeyOffer === "once" && isSecureContext(config.publicUrl);

  return {
    page: offerPage,
    async isDue({ caller }: Visit, user: SignInUser, { methods }: Pick<Proof, "methods">): Promise<boolean> {
      return isPossible && methods.includes("pwd") && (await lacksPasskey({ db, caller }, user));
    },
    /** @returns The page that adds a passkey; undefined if the sign-in continues. */
    async answer(
      visit: Visit,
      request: SignInRequest,
      user: SignInUser,
      form: URLSearchParams,
      gateForm: GateForm,
    ): Promise<PageResponse | undefined> {
      switch (form.get("do")) {
        case ADD: {
          const registration = create(AddPasswordlessRegistrationRequestSchema, { userId: user.id });
          const call = toOwnCall(user, visit.caller);
          const { link } = await addPasskeyRegistration(context, registration, call);
          const code = new URL(link).searchParams.get("code") ?? "";
          return addPasskeyPage(request, visit, { ...gateForm, code });
        }
        case LATER:
          visit.caller.throwIfOver();
          await declinePasskey(context, user);
          return undefined;
        default:
          return undefined;
      }
    },
  };
}

/** Whether browsers support passkeys at a URL (W3C Secure Contexts, section 3.1). */
function isSecureContext(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || /(^|\.)localhost$/.test(hostname);
}
