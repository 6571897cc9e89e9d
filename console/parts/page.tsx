import type { ComponentChildren } from "preact";
import { useEffect, useRef } from "preact/hooks";

interface PageProps {
  readonly title: string;
  readonly tools?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The heading of a page, which is also the title of the window, and its content. */
export function Page({ title, tools, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Signet`;
  }, [title]);
  const main = useRef<HTMLElement>(null);
  // The link that led here is gone, or before the content.
  useEffect(() => main.current?.focus({ preventScroll: true }), []);
  return (
    <main id="main" tabIndex={-1} ref={main}>
      <div class="heading">
        <h1>{title}</h1>
        {tools}
      </div>
      {children}
    </main>
  );
}
