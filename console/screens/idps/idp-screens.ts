export { IdpPage } from "./idp-page.tsx";
export { IdpsPage } from "./idps-page.tsx";
export { NewIdpPage } from "./new-idp-page.tsx";
