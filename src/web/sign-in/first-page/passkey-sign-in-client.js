// Runs in the browser on the pages with passkey-part.ts, after the bundle of @simplewebauthn/browser.
const { browserSupportsWebAuthn, browserSupportsWebAuthnAutofill, startAuthentication } =
  globalThis.SimpleWebAuthnBrowser;

const form = document.getElementById("passkey");
const button = form.querySelector("button");
const status = form.querySelector("[role=status]");
const problem = form.querySelector("[role=alert]");
const optionsJSON = JSON.parse(form.dataset.options);

/** The texts for the errors of `navigator.credentials.get` (WebAuthn, section 5.1.4.3), by error name. */
const OUTCOMES = { AbortError: "canceled", NotAllowedError: "canceled", SecurityError: "otherHost" };

if (browserSupportsWebAuthn()) {
  form.hidden = false;
  document.getElementById("other-ways").hidden = false;
  button.addEventListener("click", async () => {
    problem.textContent = "";
    status.textContent = textOf("waiting");
    try {
      // This ends the autofill request.
      submit(await startAuthentication({ optionsJSON }));
    } catch (error) {
      status.textContent = "";
      problem.textContent = textOf(OUTCOMES[error.name] ?? "failed");
    }
  });
  if (await browserSupportsWebAuthnAutofill().catch(() => false)) {
    // Autofill fails when the user presses the button or leaves the page, or has no passkey. None of these is an error.
    startAuthentication({ optionsJSON: { ...optionsJSON, allowCredentials: [] }, useBrowserAutofill: true }).then(
      submit,
      () => {},
    );
  }
}

function submit(response) {
  addField("response", JSON.stringify(response));
  if (document.querySelector("[name=remember]")?.checked) addField("remember", "yes");
  form.submit();
}

function addField(name, value) {
  const input = document.createElement("input");
  Object.assign(input, { type: "hidden", name, value });
  form.append(input);
}

function textOf(outcome) {
  return form.querySelector("template").content.querySelector(`[data-outcome=${outcome}]`).textContent;
}
