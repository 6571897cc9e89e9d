import type { Rules } from "../rules.ts";

/**
 * What each reason of the API means for the person at the console, with what to do next. Loaded when the first call fails. A
 * reason that the console cannot cause has none.
 */
export const REASONS = {
  TOKEN_MISSING: "You are signed out. Sign in again.",
  TOKEN_INVALID: "Your sign-in has ended. Sign in again.",
  PERMISSION_DENIED: "You do not have the permission for this. An owner can give you a role that includes it.",
  ORG_NOT_FOUND: "This organization does not exist, or was removed. Choose another one above.",
  USER_NOT_FOUND: "This user does not exist in the organization, or was removed. Look at the list of users.",
  IDP_NOT_FOUND: "This provider does not exist, or was removed. Look at the list of providers.",
  APP_NOT_FOUND: "This application does not exist, or was removed. Look at the list of applications.",
  APP_ROLE_NOT_FOUND: "The application no longer has this role. Reload the page to see its roles.",
  API_NOT_FOUND: "This API does not exist, or was removed. Look at the list of APIs.",
  API_IDENTIFIER_TAKEN: "Another API has this identifier. Choose another one.",
  TOKEN_NOT_FOUND: "The token was removed already. Reload the page.",
  PASSKEY_NOT_FOUND: "The passkey was removed already. Reload the page.",
  PASSKEY_TAKEN: "This passkey is registered for a user already.",
  IDP_LINK_NOT_FOUND: "The link was removed already. Reload the page.",
  ORG_STATE: "Somebody else has changed the state of the organization. Reload the page.",
  ORG_PROTECTED: "The default organization cannot be deactivated or removed.",
  ORG_NAME_TAKEN: "Another organization has this name. Choose another one.",
  EXTERNAL_ID_TAKEN:
    "Another user of the organization has this value of external_id. Search for it in the list of users.",
  SUBJECT_TAKEN: "Another user has this subject.",
  METADATA_NOT_FOUND: "The value was removed already. Reload the page.",
  OTP_NOT_FOUND: "The one-time codes were turned off already. Reload the page.",
  MESSAGE_NOT_FOUND: "The message is no longer stored. Reload the page.",
  MESSAGE_STATE: "The message is being sent, or was sent already. Reload the page.",
  METADATA_LIMIT: "The user has as much metadata as a user can have. Remove a value first.",
  TOO_MANY_PROVIDER_CHECKS: "Providers were checked too often. Wait a minute, and try again.",
  TOO_MANY_WEBHOOK_CHECKS: "Too many test events were sent in this hour. Try again in the next one.",
  USER_NAME_TAKEN: "A user with this name or address exists.",
  EMAIL_TAKEN: "Another user of the organization signs in with this address. Search for it in the list of users.",
  PHONE_TAKEN: "Another user of the organization signs in with this number. Search for it in the list of users.",
  IDP_LINK_TAKEN: "Another user of the organization is linked to this account. Remove that link first.",
  MEMBER_EXISTS: "The user has a role already. Change it in the list.",
  MEMBER_NOT_FOUND: "The user no longer has a role. Reload the page.",
  LAST_OWNER: "This is the last owner. Give somebody else the role of an owner first.",
  POLICY_EXISTS: "Somebody else has saved settings in the meantime. Reload the page.",
  POLICY_NOT_FOUND: "Somebody else has reset these settings in the meantime. Reload the page.",
  PHONE_NOT_FOUND: "The user has no phone number. Reload the page.",
  USER_STATE:
    "The user is locked, inactive or active by now, which does not allow this. Reload the page to see the state.",
  IDP_STATE: "Somebody else has changed the state of the provider. Reload the page.",
  IDP_HAS_LINKS: "Users are linked to this provider, so what identifies them cannot change. Add another provider.",
  OWN_USER: "You cannot lock, deactivate or remove yourself, or change your own roles. Another owner can.",
  ONLY_WAY_IN: "The user has no other way to sign in. Send a link to set a password first.",
  APP_STATE: "Somebody else has changed the state of the application. Reload the page.",
  APP_WITHOUT_SECRET: "Applications of this kind have no secret.",
  WEBHOOK_NOT_FOUND: "This webhook does not exist, or was removed. Look at the list of webhooks.",
  WEBHOOK_STATE: "Somebody else has changed the state of the webhook. Reload the page.",
  WEBHOOK_DELIVERY_NOT_FOUND: "The delivery is no longer stored. Refresh the list.",
  WEBHOOK_DELIVERY_IN_PROGRESS: "The event is being sent. Refresh the list in a moment.",
  TOO_MANY_WEBHOOKS: "The organization has 20 webhooks, and cannot have more. Remove one first.",
  TOO_MANY_SCIM_CONNECTIONS: "The organization has 20 SCIM connections, and cannot have more. Remove one first.",
  PHONE_VERIFIED: "The number is verified already. Reload the page.",
  RECIPIENT_NOT_VERIFIED: "The address or number is not verified, so no link is sent to it. Verify it first.",
  SMS_PROVIDER_MISSING: "No SMS can be sent. The operator of the service has to set SMS_PROVIDER.",
  MAIL_SERVER_MISSING: "No email can be sent. The operator of the service has to set SMTP_URL.",
  TOO_MANY_MESSAGES:
    "The user got several such messages already. Wait a minute, or an hour for links to set a password.",
  INVALID_ARGUMENT: "Something that was entered is not accepted.",
  BODY_TOO_LARGE: "This is more than the service accepts at once. Use a smaller file or a shorter text.",
  REQUEST_TIMEOUT: "The connection is too slow. Try again.",
  TOO_MANY_REQUESTS: "There were too many requests. Wait a moment, and try again.",
  PATH_NOT_FOUND: "The page is of another version than the service. Reload it.",
  SERVICE_UNKNOWN: "The page is of another version than the service. Reload it.",
  METHOD_UNKNOWN: "The page is of another version than the service. Reload it.",
  ABORTED: "Somebody else has made a change at the same moment. Try again.",
  UNAVAILABLE: "The service is busy, or is starting again. Try again in a moment.",
  DEADLINE_EXCEEDED: "The service took too long. Try again in a moment.",
  INTERNAL: "Something went wrong in the service. Try again, and give the operator the id of the request.",
};

export type Reasons = typeof REASONS;

/** The API says what is wrong with fields in English. */
export const RULES: Rules = [];
