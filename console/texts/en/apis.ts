export const EN_APIS = {
  title: "APIs",
  api: "API",
  add: "New API",
  none: "No APIs yet. An API that you add gets access tokens of its own, with scopes, and can reject tokens for others.",
  identifier: "Identifier",
  identifierHint: "Applications send it as the parameter resource, and tokens have it as aud. It cannot be changed.",
  scopes: "Scopes",
  scopesHint: "What tokens for the API can allow. A token keeps a scope that is removed until it expires.",
  introspectors: "Checked by",
  introspectorsHint: "The applications whose credentials the API uses to introspect tokens.",
  unregistered: "Allow clients that nobody registers",
  unregisteredHint:
    "Such as tools that connect to any MCP server. Only those from the hosts in CLIENT_METADATA_HOSTS get tokens.",
  settings: "Settings",
  removeText: "Applications get no more tokens for it. This cannot be undone.",
};
