/** The page `/docs`. */
const prefersDark = matchMedia("(prefers-color-scheme: dark)");
const applyScheme = () => document.documentElement.classList.toggle("dark-mode", prefersDark.matches);
prefersDark.addEventListener("change", applyScheme);
applyScheme();

window.SwaggerUIBundle({
  url: "/openapi.json",
  domNode: document.getElementById("reference"),
  deepLinking: true,
  docExpansion: "list",
  defaultModelsExpandDepth: 0,
  // The token is kept until the page is closed.
  persistAuthorization: false,
  // The document is not sent to an external validator.
  validatorUrl: null,
});
