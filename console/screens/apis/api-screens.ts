export { ApiPage } from "./api-page.tsx";
export { ApisPage, NewApiPage } from "./apis-page.tsx";
