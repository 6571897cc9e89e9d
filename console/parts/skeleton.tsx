import { texts } from "../state/language.ts";

/** In place of what takes long to load. */
export function Skeleton({ isShown }: { isShown: boolean }) {
  return (
    <div class="skeleton" role="status">
      {isShown && <span class="spoken">{texts.value.loading}</span>}
      {isShown && [0, 1, 2, 3].map((line) => <span key={line} class="line" />)}
    </div>
  );
}
