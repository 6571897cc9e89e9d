export { WebhookPage } from "./webhook-page.tsx";
export { NewWebhookPage, WebhooksPage } from "./webhooks-page.tsx";
