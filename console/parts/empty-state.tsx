import type { ComponentChildren } from "preact";

/** In place of an empty list: a picture, and what the list is for. */
export function EmptyState({ text, children }: { text: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <svg viewBox="0 0 96 64" aria-hidden="true">
        <rect x="8" y="10" width="80" height="12" rx="4" />
        <rect x="8" y="28" width="80" height="12" rx="4" class="faint" />
        <rect x="8" y="46" width="80" height="12" rx="4" class="faintest" />
        <path d="M16 16h18M16 34h26M16 52h12" />
      </svg>
      <p>{text}</p>
      {children}
    </div>
  );
}
