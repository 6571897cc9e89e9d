// Runs in the browser on the pages with passkey-ceremony.ts, after the bundle of @simplewebauthn/browser.
const { browserSupportsWebAuthn, startRegistration } = globalThis.SimpleWebAuthnBrowser;

const heading = document.querySelector("h1");
const ceremony = document.getElementById("ceremony");
const button = ceremony.querySelector("button");
const status = ceremony.querySelector("[role=status]");
const problem = ceremony.querySelector("[role=alert]");
const code = ceremony.dataset.code ?? new URLSearchParams(location.search).get("code");

/** The texts for the errors of `navigator.credentials.create` (WebAuthn, section 5.1.3), by error name. */
const OUTCOMES = {
  AbortError: "canceled",
  NotAllowedError: "canceled",
  InvalidStateError: "exists",
  ConstraintError: "deviceUnsupported",
  NotSupportedError: "deviceUnsupported",
  SecurityError: "wrongHost",
};

/** The service or the browser rejected the passkey. The `message` is in the language of the page. */
class Rejection extends Error {
  constructor(message, { reason, isFinal = false } = {}) {
    super(message);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

let isRunning = false;

if (browserSupportsWebAuthn()) {
  button.hidden = false;
  button.addEventListener("click", start);
  // The user has just asked for it. A browser that requires a click on this page rejects it, and the button remains.
  if (ceremony.dataset.code !== undefined) start();
} else {
  problem.textContent = textOf("browserUnsupported");
}

async function start() {
  if (isRunning) return;
  isRunning = true;
  // Not `disabled`, because that would remove the focus from the button.
  button.setAttribute("aria-disabled", "true");
  problem.textContent = "";
  status.textContent = textOf("waiting");
  try {
    await register();
    // During a sign-in, the form continues it.
    const next = document.getElementById("continue");
    if (next === null) showDone();
    else next.submit();
  } catch (error) {
    status.textContent = "";
    problem.textContent = error instanceof Rejection ? error.message : textOf("failed");
    button.hidden = error.isFinal === true;
  } finally {
    isRunning = false;
    button.removeAttribute("aria-disabled");
  }
}

async function register() {
  const optionsJSON = await post("/ui/passkey/options", { code });
  const response = await startRegistration({ optionsJSON }).catch((error) => {
    throw new Rejection(textOf(OUTCOMES[error.name] ?? "failed"));
  });
  try {
    await post("/ui/passkey/registration", { code, response });
  } catch (error) {
    // For other reasons the passkey stays: the request may be a duplicate of one that has registered it.
    if (error.reason === "refused") removeFromDevice(optionsJSON.rp.id, response.id);
    throw error;
  }
}

async function post(path, message) {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(message) };
  const response = await fetch(path, request).catch(() => {
    throw new Rejection(textOf("unreachable"));
  });
  const body = await response.json().catch(() => undefined);
  if (response.ok && body !== undefined) return body;
  throw new Rejection(body?.message ?? textOf("failed"), { reason: body?.code, isFinal: response.status === 410 });
}

function removeFromDevice(rpId, credentialId) {
  globalThis.PublicKeyCredential.signalUnknownCredential?.({ rpId, credentialId }).catch(() => {});
}

function showDone() {
  const done = document.getElementById("done").content;
  heading.className = "done";
  heading.tabIndex = -1;
  heading.replaceChildren(...done.querySelector("h1").childNodes);
  document.title = document.title.replace(/^.* · /, () => `${heading.textContent.trim()} · `);
  ceremony.replaceWith(...done.querySelectorAll("p"));
  for (const part of document.querySelectorAll("[data-before]")) part.remove();
  heading.focus();
}

function textOf(outcome) {
  return ceremony.querySelector("template").content.querySelector(`[data-outcome=${outcome}]`).textContent;
}
