import type { Label } from "../../branding/label-settings.ts";
import { shownName } from "./brand.ts";

/** The page where users see and change their own account. */
export const ACCOUNT_PATH = "/ui/account";

/** The application for sign-ins to the account page. Pages show `accountAppName` instead of its name. */
export const ACCOUNT_APP = { id: "account", name: "Signet" } as const;

/** The path that a sign-in to the account page redirects to. */
export const SIGNED_IN_PATH = `${ACCOUNT_PATH}/signed-in`;

/** The path that a provider's response redirects to when a user links an account there. */
export const LINK_CALLBACK_PATH = `${ACCOUNT_PATH}/links/callback`;

/** What a sign-in to the account page signs in to: what the top of the page shows, or else the host. */
export function accountAppName(label: Label, publicUrl: string): string {
  return shownName(label) || new URL(publicUrl).host;
}
