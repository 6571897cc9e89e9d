import { type Timestamp, timestampDate } from "@bufbuild/protobuf/wkt";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { announce } from "../state/announce.ts";
import { language, texts } from "../state/language.ts";
import { wordsFor } from "../texts/words-for.ts";

/** A text for other programs, such as an id, with a button that copies it. */
export function Copyable({ text }: { text: string }) {
  return (
    <span class="copyable">
      <code>{text}</code>
      <CopyButton name={text} text={text} />
    </span>
  );
}

function CopyButton({ name, text }: { name: string; text: string }) {
  const [isCopied, setCopied] = useState(false);
  const { copy, copied } = texts.value.actions;
  const write = async () => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    announce(copied);
  };
  return (
    <button type="button" class="link" onClick={write} onBlur={() => setCopied(false)} aria-label={`${copy} ${name}`}>
      {isCopied ? copied : copy}
    </button>
  );
}

/** Leads to a page of the guide, such as `moving/csv`. */
export function GuideLink({ page, children }: { page: string; children: string }) {
  return (
    <a href={`/docs/guide/${page}`} target="_blank" rel="noreferrer">
      {children}
    </a>
  );
}

interface CodeBlockProps {
  readonly name: string;
  readonly text: string;
  /** The text in colors. */
  readonly children?: ComponentChildren;
}

/** A text for a file or a terminal, with a button that copies it. */
export function CodeBlock({ name, text, children = text }: CodeBlockProps) {
  return (
    <figure class="code">
      <figcaption>
        <span>{name}</span>
        <CopyButton name={name} text={text} />
      </figcaption>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: without the focus, the keyboard could not scroll it (WCAG 2.1.1) */}
      <pre tabIndex={0}>
        <code>{children}</code>
      </pre>
    </figure>
  );
}

/** A secret that cannot be shown again. */
export function SecretNote({ label, secret }: { label: string; secret: string }) {
  return (
    <div class="secret" role="status">
      <p>
        <strong>{label}</strong>
      </p>
      <Copyable text={secret} />
      <p class="small">{texts.value.actions.once}</p>
    </div>
  );
}

/** The state of an object that is active or inactive, in the color of the state of a user. */
export function ActiveState({ isActive }: { isActive: boolean }) {
  const { active, inactive } = texts.value.orgs;
  return <span class={isActive ? "state good" : "state"}>{isActive ? active : inactive}</span>;
}

/** A time in the zone of the browser; the exact one in the title. */
export function Time({ at }: { at: Timestamp | undefined }) {
  if (at === undefined) return <span class="quiet">–</span>;
  const date = timestampDate(at);
  const shown = new Intl.DateTimeFormat(language.value, { dateStyle: "medium", timeStyle: "short" }).format(date);
  const exact = date.toISOString();
  return (
    <time dateTime={exact} title={exact}>
      {shown}
    </time>
  );
}

export function formatNumber(number: number | bigint): string {
  return new Intl.NumberFormat(language.value).format(number);
}

/** The API counts no further. */
const MOST_COUNTED = 10_000;

/** The number of items of a list, such as `10,000+`. */
export function formatCount(total: number | bigint): string {
  return total >= MOST_COUNTED ? `${formatNumber(MOST_COUNTED)}+` : formatNumber(total);
}

/** The words for a type of event in the language of the page; those of the API if the language has none. */
export function eventWords(type: string, ofApi: string | undefined): string {
  return wordsFor(texts.value.events.types, type, ofApi || type);
}

/** The same for a type of object. */
export function objectWords(type: string, ofApi: string | undefined): string {
  return wordsFor(texts.value.events.objects, type, ofApi || type);
}

interface CountsProps<Name extends string> {
  readonly names: readonly Name[];
  readonly labels: Readonly<Record<Name, string>>;
  readonly counts: Readonly<Record<Name, number>>;
}

/** Numbers in a row, each below what it counts. */
export function Counts<Name extends string>({ names, labels, counts }: CountsProps<Name>) {
  return (
    <dl class="counts">
      {names.map((name) => (
        <div key={name}>
          <dt>{labels[name]}</dt>
          <dd>{formatNumber(counts[name])}</dd>
        </div>
      ))}
    </dl>
  );
}
