export { AppPage } from "./app-page.tsx";
export { AppsPage } from "./apps-page.tsx";
export { NewAppPage } from "./new-app-page.tsx";
