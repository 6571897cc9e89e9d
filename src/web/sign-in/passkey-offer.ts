import { create } from "@bufbuild/protobuf";
import { AddPasswordlessRegistrationRequestSchema } from "../../../gen/signet/v1/user_credential_pb.js";
import type { SignInUser } from "../../sign-in/find-sign-in-user.ts";
import { toOwnCall } from "../../sign-in/own-call.ts";
import { lacksPasskey } from "../../sign-in/passkey-offer.ts";
import type { Proved } from "../../sign-in/proof.ts";
import { addPasskeyRegistration } from "../../users/add-passkey-registration.ts";
import type { PageResponse } from "../frame/page.ts";
import type { GateForm } from "./gate-form.ts";
import { addPasskeyPage } from "./passkey-offer-pages.ts";
import type { SignInParts, SignInVisit } from "./sign-in-parts.ts";

/** Whether to offer a passkey: once, to a user who has signed in with a password and has no passkey. */
export async function isPasskeyOfferDue(
  { config, db }: SignInParts,
  { caller }: SignInVisit,
  user: SignInUser,
  { methods }: Proved,
): Promise<boolean> {
  const isPossible = config.passkeyOffer === "once" && isSecureContext(config.publicUrl);
  return isPossible && methods.includes("pwd") && (await lacksPasskey({ db }, user, caller));
}

/** The page that adds a passkey. */
export async function addPasskey(
  parts: SignInParts,
  visit: SignInVisit,
  user: SignInUser,
  gateForm: GateForm,
): Promise<PageResponse> {
  const registration = create(AddPasswordlessRegistrationRequestSchema, { userId: user.id });
  const { link } = await addPasskeyRegistration(parts, registration, toOwnCall(user, visit.caller));
  const code = new URL(link).searchParams.get("code") ?? "";
  return addPasskeyPage(visit, { ...gateForm, code });
}

/** Whether browsers support passkeys at a URL (W3C Secure Contexts, section 3.1). */
function isSecureContext(publicUrl: string): boolean {
  const { protocol, hostname } = new URL(publicUrl);
  return protocol === "https:" || /(^|\.)localhost$/.test(hostname);
}
