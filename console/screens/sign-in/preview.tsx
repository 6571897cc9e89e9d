import { useState } from "preact/hooks";
import { Select } from "../../parts/field.tsx";
import { language as consoleLanguage, LANGUAGES, type Language, texts } from "../../state/language.ts";

interface PreviewProps {
  /** Of the page with what is saved. */
  readonly url: string;
  /** Whether what is saved differs from what users see, so that both are shown. */
  readonly isDraft: boolean;
}

/** The sign-in page itself with what is saved, in a frame where nothing on it can be used. */
export function Preview({ url, isDraft }: PreviewProps) {
  const { signInPage: own, shell } = texts.value;
  const [language, setLanguage] = useState<Language>(consoleLanguage.value);
  const [scheme, setScheme] = useState<"light" | "dark">("light");
  const [size, setSize] = useState<"phone" | "computer">("phone");
  const languages = Object.entries(LANGUAGES).map(([tag, { name }]) => [tag as Language, name] as const);
  const schemes = (["light", "dark"] as const).map((name) => [name, shell.themes[name]] as const);
  const sizes = (["phone", "computer"] as const).map((name) => [name, own.sizes[name]] as const);
  const page = `${url}&language=${language}&scheme=${scheme}`;
  return (
    <div class={`preview ${size}`}>
      <div class="switches">
        <Select {...{ label: shell.language, value: language, onInput: setLanguage }} options={languages} />
        <Select {...{ label: shell.theme, value: scheme, onInput: setScheme }} options={schemes} />
        <Select {...{ label: own.sizes.label, value: size, onInput: setSize }} options={sizes} />
      </div>
      <p class="hint">{own.previewHint}</p>
      <Framed title={isDraft ? own.draft : own.preview} url={page} />
      {isDraft && <Framed title={own.live} url={`${page}&branding=active`} />}
    </div>
  );
}

function Framed({ title, url }: { title: string; url: string }) {
  return (
    <figure>
      <figcaption>
        <strong>{title}</strong>{" "}
        <a href={url} target="_blank" rel="noreferrer">
          {texts.value.signInPage.openPreview}
        </a>
      </figcaption>
      {/* A new frame for each URL: another page in the same one would be a step of the back button. */}
      <iframe key={url} title={title} src={url} sandbox="allow-same-origin" />
    </figure>
  );
}
