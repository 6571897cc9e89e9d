import { signal } from "@preact/signals";

/** What the page has done at last. Each announcement is a new object, so that the same text is read again. */
export const announcement = signal<{ readonly text: string } | undefined>(undefined);

/** Says nothing more. */
export function silence(): void {
  announcement.value = undefined;
}

/** Says what has happened, also to screen readers. */
export function announce(text: string): void {
  announcement.value = { text };
}
