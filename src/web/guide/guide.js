/** The field for the search, whose index is loaded when it is first focused, and the buttons that copy code. */
import { createSearch } from "./search.js";

const field = document.querySelector("#search");
const list = document.querySelector("#results");
const status = document.querySelector("#found");
const SHOWN = 12;
const NOT_THERE = "Signet does not have this";
let find;

field.parentElement.hidden = false;
field.addEventListener("focus", load, { once: true });
field.addEventListener("input", search);
field.addEventListener("keydown", (event) => {
  if (event.key === "Enter") list.querySelector("a")?.click();
  else if (event.key === "ArrowDown") focusResult(event, 0);
  else if (event.key === "Escape") close();
});
list.addEventListener("keydown", (event) => {
  const at = [...list.querySelectorAll("a")].indexOf(document.activeElement);
  if (event.key === "ArrowDown") focusResult(event, at + 1);
  else if (event.key === "ArrowUp") focusResult(event, at - 1);
  else if (event.key === "Escape") close();
});
// Closes the results, because a result may be a section of this page.
list.addEventListener("click", () => close());
document.addEventListener("keydown", (event) => {
  if (event.key !== "/" || event.target instanceof HTMLInputElement) return;
  event.preventDefault();
  field.focus();
});
document.addEventListener("pointerdown", (event) => {
  if (!field.parentElement.contains(event.target)) list.hidden = true;
});

// Browsers have a clipboard only for pages from HTTPS or this machine.
if (navigator.clipboard) for (const block of document.querySelectorAll("main pre")) addCopyButton(block);

function addCopyButton(block) {
  const frame = document.createElement("div");
  frame.className = "code";
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "Copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(block.textContent);
    button.textContent = "Copied";
  });
  block.replaceWith(frame);
  frame.append(block, button);
}

function load() {
  find ??= Promise.all([import("./minisearch.js"), fetch("/docs/guide/search.json")]).then(
    async ([{ default: MiniSearch }, response]) => createSearch(MiniSearch, await response.json()),
  );
  return find;
}

async function search() {
  const text = field.value.trim();
  const results = text === "" ? [] : (await load())(text);
  if (text !== field.value.trim()) return;
  list.replaceChildren(...(results?.slice(0, SHOWN).map(toItem) ?? [toNote(NOT_THERE)]));
  list.hidden = list.childElementCount === 0;
  if (text === "") status.textContent = "";
  else status.textContent = results === undefined ? NOT_THERE : `${results.length} results`;
}

function toItem({ path, page, title, text, queryTerms, match }) {
  const item = document.createElement("li");
  const link = document.createElement("a");
  link.href = path;
  const heading = document.createElement("strong");
  heading.textContent = title === page ? page : `${page}: ${title}`;
  link.append(heading, toExcerpt(text, [...Object.keys(match), ...queryTerms]));
  item.append(link);
  return item;
}

function toNote(text) {
  const item = document.createElement("li");
  item.className = "note";
  item.textContent = text;
  return item;
}

/** An excerpt around the first match. */
function toExcerpt(text, terms) {
  const excerpt = document.createElement("span");
  const lower = text.toLowerCase();
  const found = terms.map((term) => ({ term, at: lower.indexOf(term) })).filter(({ at }) => at >= 0);
  const [first] = found.sort((a, b) => a.at - b.at);
  const start = first === undefined ? 0 : text.lastIndexOf(" ", Math.max(0, first.at - 40)) + 1;
  if (start > 0) excerpt.append("… ");
  if (first === undefined) {
    excerpt.append(text.slice(0, 140));
  } else {
    const mark = document.createElement("mark");
    mark.textContent = text.slice(first.at, first.at + first.term.length);
    excerpt.append(text.slice(start, first.at), mark, text.slice(first.at + first.term.length, start + 140));
  }
  if (text.length > start + 140) excerpt.append("…");
  return excerpt;
}

function focusResult(event, at) {
  event.preventDefault();
  const links = list.querySelectorAll("a");
  if (at < 0) field.focus();
  else links[Math.min(at, links.length - 1)]?.focus();
}

function close() {
  field.value = "";
  list.hidden = true;
  status.textContent = "";
}
