/** The guide's search. The index is loaded when the field is first focused. */
const field = document.querySelector("#search");
const list = document.querySelector("#results");
const status = document.querySelector("#found");
const SHOWN = 12;
let index;

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

function load() {
  index ??= Promise.all([import("./minisearch.js"), fetch("/docs/guide/search.json")]).then(
    async ([{ default: MiniSearch }, response]) => {
      const created = new MiniSearch({
        fields: ["title", "page", "text"],
        storeFields: ["path", "page", "title", "text"],
        searchOptions: {
          boost: { title: 4, page: 2 },
          // The changelog mentions everything that the other pages explain.
          boostDocument: (_id, _term, { page }) => (page === "Changelog" ? 0.2 : 1),
          prefix: true,
          fuzzy: 0.15,
          combineWith: "AND",
        },
      });
      created.addAll(await response.json());
      return created;
    },
  );
  return index;
}

async function search() {
  const text = field.value.trim();
  const results = text === "" ? [] : (await load()).search(text);
  if (text !== field.value.trim()) return;
  list.replaceChildren(...results.slice(0, SHOWN).map(toItem));
  list.hidden = results.length === 0;
  status.textContent = text === "" ? "" : `${results.length} results`;
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
