// Runs in the browser, on the page of passkey.ts, behind the bundle of @simplewebauthn/browser.
const { browserSupportsWebAuthn, startRegistration } = globalThis.SimpleWebAuthnBrowser;

const heading = document.querySelector("h1");
const ceremony = document.getElementById("ceremony");
const button = ceremony.querySelector("button");
const status = ceremony.querySelector("[role=status]");
const problem = ceremony.querySelector("[role=alert]");
const code = new URLSearchParams(location.search).get("code");

/** What the errors of `navigator.credentials.create` mean (WebAuthn, section 5.1.3), by their names. */
const OUTCOMES = {
  AbortError: "cancelled",
  NotAllowedError: "cancelled",
  InvalidStateError: "exists",
  ConstraintError: "unsuited",
  NotSupportedError: "unsuited",
  SecurityError: "misplaced",
};

/** The service or the browser has refused; `message` is in the language of the page. */
class Refusal extends Error {
  constructor(message, { reason, isFinal = false } = {}) {
    super(message);
    this.reason = reason;
    this.isFinal = isFinal;
  }
}

let isRunning = false;

if (browserSupportsWebAuthn()) {
  button.hidden = false;
  button.addEventListener("click", async () => {
    if (isRunning) return;
    isRunning = true;
    // Not `disabled`, which would take the focus away from the one who has pressed it.
    button.setAttribute("aria-disabled", "true");
    problem.textContent = "";
    status.textContent = textOf("waiting");
    try {
      await register();
      showDone();
    } catch (error) {
      status.textContent = "";
      problem.textContent = error instanceof Refusal ? error.message : textOf("failed");
      button.hidden = error.isFinal === true;
    } finally {
      isRunning = false;
      button.removeAttribute("aria-disabled");
    }
  });
} else {
  problem.textContent = textOf("unsupported");
}

async function register() {
  const optionsJSON = await post("/ui/passkey/options", { code });
  const response = await startRegistration({ optionsJSON }).catch((error) => {
    throw new Refusal(textOf(OUTCOMES[error.name] ?? "failed"));
  });
  try {
    await post("/ui/passkey/registration", { code, response });
  } catch (error) {
    // The device may forget this passkey. Not for other reasons, which may be the answer to a call that came twice.
    if (error.reason === "refused") forget(optionsJSON.rp.id, response.id);
    throw error;
  }
}

async function post(path, body) {
  const request = { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) };
  const response = await fetch(path, request).catch(() => {
    throw new Refusal(textOf("unreachable"));
  });
  const answer = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer;
  throw new Refusal(answer?.message ?? textOf("failed"), { reason: answer?.code, isFinal: response.status === 410 });
}

function forget(rpId, credentialId) {
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
