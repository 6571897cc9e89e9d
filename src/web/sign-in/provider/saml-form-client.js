// Sends the form to the provider. Without this script, the page has a button.
document.querySelector("form")?.submit();
