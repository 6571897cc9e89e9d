// Runs in the browser on the page of register-pages.ts, after the bundle of @simplewebauthn/browser.
const { browserSupportsWebAuthn, startRegistration } = globalThis.SimpleWebAuthnBrowser;

const form = document.getElementById("register");
const button = document.getElementById("use-passkey");
const status = document.getElementById("passkey-status");
const problem = document.getElementById("passkey-problem");
const optionsJSON = JSON.parse(form.dataset.options);

/** The texts for the errors of `navigator.credentials.create` (WebAuthn, section 5.1.3), by error name. */
const OUTCOMES = {
  AbortError: "canceled",
  NotAllowedError: "canceled",
  InvalidStateError: "exists",
  ConstraintError: "deviceUnsupported",
  NotSupportedError: "deviceUnsupported",
  SecurityError: "wrongHost",
};

if (browserSupportsWebAuthn()) {
  document.getElementById("passkey-way").hidden = false;
  button.addEventListener("click", start);
}

async function start() {
  // The other fields are those of the password.
  const names = [...form.querySelectorAll("input[data-person]")];
  if (!names.every((input) => input.reportValidity())) return;
  problem.textContent = "";
  status.textContent = textOf("waiting");
  try {
    submit(await startRegistration({ optionsJSON }));
  } catch (error) {
    status.textContent = "";
    problem.textContent = textOf(OUTCOMES[error.name] ?? "failed");
  }
}

function submit(response) {
  const input = document.createElement("input");
  Object.assign(input, { type: "hidden", name: "passkey", value: JSON.stringify(response) });
  form.append(input);
  // Without the validation, because the fields of the password are empty.
  form.submit();
}

function textOf(outcome) {
  return form.querySelector("template").content.querySelector(`[data-outcome=${outcome}]`).textContent;
}
