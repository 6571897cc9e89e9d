/** The page `/docs`. */
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const applyScheme = () => document.documentElement.classList.toggle("dark-mode", prefersDark.matches);
prefersDark.addEventListener("change", applyScheme);
applyScheme();

/** The names of parts that Swagger UI leaves unnamed, by selector. */
const NAMES = {
  ".information-container": "About",
  ".scheme-container": "Server and token",
  ".close-modal": "Close",
  "#servers": "Server",
  ".examples-select-element": "Example",
  ".body-param__text": "Request body",
  ".content-type-wrapper select": "Content type",
};

const ROLES = {
  ".information-container:not([role])": "region",
  ".scheme-container:not([role])": "region",
  ".responses-table[role=region]": "table",
};

/** Shows the text without a link. It is inside a button, and the address changes when the button is clicked. */
const withoutNestedLinks = ({ React }) => ({
  components: { DeepLink: ({ text }) => React.createElement("span", null, text) },
});

const reference = document.getElementById("reference");
new MutationObserver(improveAccess).observe(reference, { childList: true, subtree: true });

window.SwaggerUIBundle({
  url: "/openapi.json",
  domNode: reference,
  deepLinking: true,
  docExpansion: "none",
  defaultModelsExpandDepth: 0,
  // The token is kept until the page is closed.
  persistAuthorization: false,
  // The default theme has a color with too little contrast.
  syntaxHighlight: { theme: "tomorrow-night" },
  plugins: [withoutNestedLinks],
  // The document is not sent to an external validator.
  validatorUrl: null,
});

/** Completes the roles, names and levels of what Swagger UI has rendered. */
function improveAccess() {
  for (const [selector, name] of Object.entries(NAMES)) {
    for (const part of reference.querySelectorAll(`${selector}:not([aria-label])`)) part.ariaLabel = name;
  }
  for (const [selector, role] of Object.entries(ROLES)) {
    for (const part of reference.querySelectorAll(selector)) part.role = role;
  }
  // After the title, Swagger UI skips the second level.
  for (const heading of reference.querySelectorAll(":is(h3, h4, h5):not([aria-level])")) {
    heading.ariaLevel = String(Number(heading.tagName.slice(1)) - 1);
  }
  // Code that is too wide is scrollable with the keyboard.
  for (const code of reference.querySelectorAll(".microlight:not([tabindex])")) code.tabIndex = 0;
  // Its name is "Authorize", the text that it shows.
  for (const button of reference.querySelectorAll(".modal-ux .authorize[aria-label]")) button.ariaLabel = null;
}
