import { Page } from "../parts/page.tsx";
import { texts } from "../state/language.ts";

export function Missing() {
  const { title, text, home } = texts.value.missing;
  return (
    <Page title={title}>
      <p>{text}</p>
      <p>
        <a href="/console">{home}</a>
      </p>
    </Page>
  );
}
