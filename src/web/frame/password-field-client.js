// Runs in the browser on the pages with a `passwordField`.
for (const button of document.querySelectorAll("button.show")) {
  const input = document.getElementById(button.getAttribute("aria-controls"));

  const toggle = () => {
    const { other, otherLabel } = button.dataset;
    Object.assign(button.dataset, { other: button.textContent, otherLabel: button.ariaLabel });
    button.textContent = other;
    button.ariaLabel = otherLabel;
    input.type = input.type === "password" ? "text" : "password";
  };

  button.hidden = false;
  button.addEventListener("click", toggle);
  // Browsers remember the values of text fields.
  input.form.addEventListener("submit", () => {
    if (input.type === "text") toggle();
  });
}
