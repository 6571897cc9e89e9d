import { texts } from "../../state/language.ts";
import { Section } from "../user/section.tsx";
import type { Step } from "./find-steps.ts";

/** What to do first; nothing once all is done. */
export function FirstSteps({ steps }: { steps: readonly Step[] }) {
  const { overview } = texts.value;
  const done = steps.filter(({ isDone }) => isDone).length;
  if (done === steps.length) return null;
  return (
    <Section title={overview.first}>
      <p class="quiet">{overview.progress(done, steps.length)}</p>
      <ul class="steps">
        {steps.map(({ name, isDone, href }) => (
          <li key={name} class={isDone ? "done" : undefined}>
            <svg class="icon" viewBox="0 0 20 20" aria-hidden="true">
              <circle cx="10" cy="10" r="7.5" />
              {isDone && <path d="M6.5 10.2 9 12.7l4.5-5" />}
            </svg>
            <div>
              {isDone ? <span>{overview.steps[name].title}</span> : <a href={href}>{overview.steps[name].title}</a>}
              <p class="small">{isDone ? overview.isDone : overview.steps[name].reason}</p>
            </div>
          </li>
        ))}
      </ul>
    </Section>
  );
}
