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
  // Keep a token until the page is closed.
  persistAuthorization: false,
  // Do not send the document to an external validator.
  validatorUrl: null,
});
