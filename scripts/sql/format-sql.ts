/** The most characters in a line, where the text has a place to break it. */
const WIDTH = 120;

/** A word, quoted text, or sign of a statement; or a parenthesis, with what it contains. */
interface Token {
  readonly text: string;
  readonly isSpaced: boolean;
  readonly inner?: readonly Token[];
}

/** Breaks a statement into lines that are indented by its parentheses and clauses. The tokens stay as they are. */
export function formatSql(sql: string): string {
  return toLines(parse(sql), 0).join("\n");
}

function parse(sql: string): Token[] {
  const open: Token[][] = [[]];
  for (const [, space, text = ""] of sql.matchAll(/(\s*)('[^']*'|"[^"]*"|[(),]|[^\s'"(),]+)/g)) {
    const isSpaced = space !== "" && text !== ")" && open.at(-1)?.length !== 0;
    if (text === ")") {
      open.pop();
      continue;
    }
    const inner: Token[] = [];
    open.at(-1)?.push(text === "(" ? { text, isSpaced, inner } : { text, isSpaced });
    if (text === "(") open.push(inner);
  }
  return open[0] ?? [];
}

function toLines(tokens: readonly Token[], indent: number): string[] {
  const line = toLine(tokens);
  if (indent + line.length <= WIDTH) return [" ".repeat(indent) + line];
  const clauses = split(tokens, startsClause);
  if (clauses.length > 1) return clauses.flatMap((clause) => toLines(clause, indent));
  const terms = split(tokens, startsTerm);
  const isIndented = startsClause(tokens, 0) || tokens[0]?.text === "case";
  const indentOf = (index: number) => (isIndented && index > 0 ? indent + 2 : indent);
  if (terms.length > 1) return terms.flatMap((term, index) => toLines(term, indentOf(index)));
  return breakParentheses(tokens, indent);
}

function toLine(tokens: readonly Token[]): string {
  const texts = tokens.map(({ text, isSpaced, inner }, index) => {
    return (isSpaced && index > 0 ? " " : "") + text + (inner === undefined ? "" : `${toLine(inner)})`);
  });
  return texts.join("");
}

function breakParentheses(tokens: readonly Token[], indent: number): string[] {
  const lines: string[] = [];
  let rest: Token[] = [];
  for (const token of tokens) {
    rest.push(token);
    const { inner, ...opening } = token;
    if (inner === undefined || indent + toLine(rest).length <= WIDTH) continue;
    lines.push(" ".repeat(indent) + toLine([...rest.slice(0, -1), opening]), ...toLines(inner, indent + 2));
    rest = [{ text: ")", isSpaced: false }];
  }
  return rest.length === 0 ? lines : [...lines, " ".repeat(indent) + toLine(rest)];
}

function split(tokens: readonly Token[], starts: (tokens: readonly Token[], index: number) => boolean): Token[][] {
  const parts: Token[][] = [];
  for (const [index, token] of tokens.entries()) {
    if (index === 0 || starts(tokens, index)) parts.push([]);
    parts.at(-1)?.push(token);
  }
  return parts;
}

const CLAUSE =
  /^(with(?! ordinality)|select|from|where|(inner|left|cross) join|join|group by|order by|limit|returning|union|set|values|on conflict|insert into|update|delete from|for (update|share|no|key))\b/;
/** Words after which the next one does not start a clause. */
const BEFORE = new Set(["inner", "left", "cross", "for", "do", "key", "distinct", "delete", "rows"]);

function startsClause(tokens: readonly Token[], index: number): boolean {
  return CLAUSE.test(`${tokens[index]?.text} ${tokens[index + 1]?.text}`) && !BEFORE.has(tokens[index - 1]?.text ?? "");
}

function startsTerm(tokens: readonly Token[], index: number): boolean {
  const { text = "" } = tokens[index] ?? {};
  if (text === "and" && tokens[index - 2]?.text === "between") return false;
  return tokens[index - 1]?.text === "," || ["and", "or", "when", "else"].includes(text);
}
