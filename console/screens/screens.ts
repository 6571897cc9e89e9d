import { lazy } from "../parts/lazy.tsx";

/*
 * The screens that are not part of the first program, so that it stays small. The build makes a file of each import.
 */

export const AppPage = lazy(async () => (await import("./apps/app-screens.ts")).AppPage);
export const AppsPage = lazy(async () => (await import("./apps/app-screens.ts")).AppsPage);
export const NewAppPage = lazy(async () => (await import("./apps/app-screens.ts")).NewAppPage);
export const ApiPage = lazy(async () => (await import("./apis/api-screens.ts")).ApiPage);
export const ApisPage = lazy(async () => (await import("./apis/api-screens.ts")).ApisPage);
export const NewApiPage = lazy(async () => (await import("./apis/api-screens.ts")).NewApiPage);
export const IdpPage = lazy(async () => (await import("./idps/idp-screens.ts")).IdpPage);
export const IdpsPage = lazy(async () => (await import("./idps/idp-screens.ts")).IdpsPage);
export const NewIdpPage = lazy(async () => (await import("./idps/idp-screens.ts")).NewIdpPage);
export const SignInPage = lazy(async () => (await import("./sign-in/sign-in-page.tsx")).SignInPage);
export const WebhookPage = lazy(async () => (await import("./webhooks/webhook-screens.ts")).WebhookPage);
export const WebhooksPage = lazy(async () => (await import("./webhooks/webhook-screens.ts")).WebhooksPage);
export const NewWebhookPage = lazy(async () => (await import("./webhooks/webhook-screens.ts")).NewWebhookPage);
export const OrgAuditPage = lazy(async () => (await import("./audit/audit-page.tsx")).OrgAuditPage);
export const InstanceAuditPage = lazy(async () => (await import("./audit/audit-page.tsx")).InstanceAuditPage);
export const ImportPage = lazy(async () => (await import("./import/import-page.tsx")).ImportPage);
export const InstanceScreen = lazy(async () => (await import("./instance/instance-screen.tsx")).InstanceScreen);
export const InstanceMembersPage = lazy(
  async () => (await import("./members/instance-members-page.tsx")).InstanceMembersPage,
);
export const MessagesPage = lazy(async () => (await import("./messages/messages-page.tsx")).MessagesPage);
