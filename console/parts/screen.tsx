import { type ComponentChildren, createContext, Fragment } from "preact";
import { useEffect, useId, useRef } from "preact/hooks";
import { type Problem, STALE } from "../api/problem.ts";
import { texts } from "../state/language.ts";
import { route } from "../state/location.ts";
import { orgOf, toPath } from "../state/paths.ts";
import { type Permissions, usePermissions } from "../state/permissions.ts";
import { describeProblem } from "../state/problem-texts.ts";
import { NO_PERMISSIONS } from "../state/session.ts";
import type { Loaded } from "../state/use-load.ts";
import { Button } from "./button.tsx";
import { SaveBar } from "./save-bar.tsx";

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
      <SaveBar />
    </main>
  );
}

/** The heading of the part of the page that a form is in. */
export const SectionTitle = createContext("");

/** A part of a page with a heading. */
export function Section({ title, children }: { title: string; children: ComponentChildren }) {
  const id = useId();
  return (
    <section class="part" aria-labelledby={id}>
      <h2 id={id}>{title}</h2>
      <SectionTitle.Provider value={title}>{children}</SectionTitle.Provider>
    </section>
  );
}

type Fact = readonly [name: ComponentChildren, content: ComponentChildren];

/** Names with what they are. */
export function Facts({ facts }: { facts: readonly (Fact | false)[] }) {
  return (
    <dl>
      {facts.map(
        (fact, index) =>
          fact && (
            <Fragment key={index}>
              <dt>{fact[0]}</dt>
              <dd>{fact[1]}</dd>
            </Fragment>
          ),
      )}
    </dl>
  );
}

/** What has happened, and what to do next. The details have what the API said, and the id with which the operator finds the call in the log. */
export function ProblemNote({ problem, onRetry }: { problem: Problem | undefined; onRetry?: () => void }) {
  if (problem === undefined) return null;
  const { problems, actions } = texts.value;
  const { reason } = problem;
  const isOfApi = reason !== undefined && reason !== STALE;
  const ofPage = reason === STALE ? problems.stale : problems.unreachable;
  return (
    <div class="notice bad" role="alert">
      <p>
        {isOfApi ? describeProblem(problem) : ofPage} <TakenBy userId={problem.takenBy} />
      </p>
      {isOfApi && (
        <details>
          <summary>{problems.details}</summary>
          <p class="small">
            {reason}: {problem.message}
          </p>
          {problem.requestId && (
            <p class="small">
              {problems.requestId} {problem.requestId}
            </p>
          )}
        </details>
      )}
      {onRetry && <Button label={actions.retry} onClick={onRetry} />}
    </div>
  );
}

/** Leads to the user of the organization who has what was entered. */
export function TakenBy({ userId }: { userId: string | undefined }) {
  const orgId = orgOf(route.value);
  if (userId === undefined || orgId === undefined) return null;
  return <a href={toPath({ page: "user", orgId, id: userId })}>{texts.value.problems.show}</a>;
}

/** In place of what takes long to load. */
export function Skeleton({ isShown }: { isShown: boolean }) {
  return (
    <div class="skeleton" role="status">
      {isShown && <span class="spoken">{texts.value.loading}</span>}
      {isShown && [0, 1, 2, 3].map((line) => <span key={line} class="line" />)}
    </div>
  );
}

interface ItemScreenProps<Item> {
  /** The organization in which the person needs permissions, if the parts depend on them. */
  readonly orgId?: string;
  /** In place of the name until it is known. */
  readonly kind: string;
  /** The list that the object is in. */
  readonly list?: { readonly title: string; readonly path: string };
  /** At the end of the heading. */
  readonly tools?: ComponentChildren;
  readonly found: Loaded<Item | undefined>;
  readonly nameOf?: (item: Item) => string;
  /** The parts; undefined until everything that they need is known. */
  readonly children: (item: Item, permissions: Permissions) => ComponentChildren;
}

/** A screen with one object. */
export function ItemScreen<Item>({ orgId, kind, list, tools, found, nameOf, children }: ItemScreenProps<Item>) {
  const { value, problem } = found;
  const { value: inOrg } = usePermissions(orgId);
  const permissions = orgId === undefined ? NO_PERMISSIONS : inOrg;
  const parts = value && permissions && children(value, permissions);
  const title = value === undefined || parts === undefined ? kind : (nameOf?.(value) ?? kind);
  return (
    <Page title={title} tools={list ? <Back {...list} /> : tools}>
      <ProblemNote problem={problem} onRetry={found.reload} />
      {parts === undefined && problem === undefined && <Skeleton isShown={found.isSlow} />}
      {parts}
    </Page>
  );
}

/** What the parts of the screen of an object get. */
export interface ItemPart {
  readonly orgId: string;
  readonly mayChange: boolean;
  readonly onChanged: () => void;
}

/** Leads from an object to the list that it is in. */
export function Back({ title, path }: { title: string; path: string }) {
  return (
    <a class="back" href={path}>
      {title}
    </a>
  );
}

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
