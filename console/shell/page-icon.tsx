/** Drawn in a square of 20. A page without a picture has none. */
const PATHS: Readonly<Record<string, string>> = {
  overview: "M3.5 9 10 3.5 16.5 9v7.5h-4.5v-5h-4v5H3.5z",
  users:
    "M7.5 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM2 16.5c0-3 2.5-4.5 5.5-4.5s5.5 1.5 5.5 4.5M13 3.8a3 3 0 0 1 0 5.4M15 12.4c1.9.6 3 2 3 4.1",
  messages: "M3 5h14v10H3zM3 5.5l7 5.5 7-5.5",
  audit: "M2.5 10h3l2-5.5 4 11 2.5-5.5h3.5",
  apps: "M3.5 3.5h5v5h-5zM11.5 3.5h5v5h-5zM3.5 11.5h5v5h-5zM14 11.5v5M11.5 14h5",
  apis: "M7 5 2.5 10 7 15M13 5l4.5 5-4.5 5M11 3.5l-2 13",
  idps: "M8 11.5a4 4 0 1 0-3.4-3.9M8 11.5l1.5-1 7 7M13 14l1.500-1.500M6 7.500h.010",
  signInPage: "M3 3.5h14v13H3zM3 7h14M6.500 10.500h7M6.500 13.500h4",
  instanceSignInPage: "M3 3.5h14v13H3zM3 7h14M6.500 10.500h7M6.500 13.500h4",
  webhooks:
    "M10 3.500a3 3 0 0 1 1.500 5.600l2.500 4.400M8.500 8.500 6 13M4 12.500a3 3 0 1 0 3.500 3H14M16 13a3 3 0 1 1-3 4.500",
  instanceIdps: "M8 11.5a4 4 0 1 0-3.4-3.9M8 11.5l1.5-1 7 7M13 14l1.500-1.500M6 7.500h.010",
  org: "M3 6h8M15 6h2M3 14h2M9 14h8M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4zM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4z",
  orgs: "M3.5 16.5v-13h8v13M11.5 8h5v8.5M2 16.5h16M6 7h3M6 10h3M6 13h3",
  instanceMembers: "M10 2.5 16.5 5v4.5c0 4-2.7 6.8-6.5 8-3.8-1.2-6.5-4-6.5-8V5zM7 9.8l2.2 2.2L13 8",
  instance: "M3 3.5h14v5H3zM3 11.5h14v5H3zM6 6h.010M6 14h.010",
};

export function PageIcon({ page }: { page: string }) {
  const path = PATHS[page];
  if (path === undefined) return null;
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d={path} />
    </svg>
  );
}
