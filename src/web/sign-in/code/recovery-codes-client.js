// Runs in the browser on the pages with recovery codes.
const codes = [...document.querySelectorAll("#codes code")].map((code) => code.textContent);
const status = document.querySelector("[role=status]");
const copy = document.getElementById("copy");
const print = document.getElementById("print");

// Absent on pages without TLS, except on localhost.
if (navigator.clipboard !== undefined) {
  copy.hidden = false;
  copy.addEventListener("click", async () => {
    await navigator.clipboard.writeText(`${codes.join("\n")}\n`);
    status.textContent = document.querySelector("[data-copied]").dataset.copied;
  });
}

print.hidden = false;
print.addEventListener("click", () => globalThis.print());
