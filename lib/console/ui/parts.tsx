import type { ComponentChildren } from 'preact';
import { href, place } from '../app/router.ts';

interface PageProps {
  title: string;
  /** The state of the thing, as a word and a tone. */
  state?: ComponentChildren;
  /** Where the thing belongs: the list that it is an entry of. */
  up?: { path: string; label: string };
  /** What can be done. */
  actions?: ComponentChildren;
  children: ComponentChildren;
}

/** A view: a title that names the thing, its state, what can be done, and the rest. */
export const Page = ({ title, state, up, actions, children }: PageProps) => (
  <article class="page stack">
    {up && (
      <p class="up">
        <a href={href(up.path)}>{up.label}</a>
      </p>
    )}
    <header class="page-head">
      <h1>{title}</h1>
      {state}
      {actions && <div class="actions">{actions}</div>}
    </header>
    {children}
  </article>
);

export const Section = ({
  title,
  actions,
  children,
}: {
  title: string;
  actions?: ComponentChildren;
  children: ComponentChildren;
}) => (
  <section class="stack">
    <header class="section-head">
      <h2>{title}</h2>
      {actions && <div class="actions">{actions}</div>}
    </header>
    {children}
  </section>
);

export type Fact = [label: string, value: ComponentChildren];

/** Pairs of a label and a value. A value that is missing is shown as a dash. */
export const Facts = ({ facts }: { facts: readonly (Fact | false | undefined)[] }) => (
  <dl class="facts">
    {facts
      .filter((fact): fact is Fact => Boolean(fact))
      .map(([label, value]) => (
        <div key={label}>
          <dt>{label}</dt>
          <dd>{value ?? '–'}</dd>
        </div>
      ))}
  </dl>
);

interface TabsProps {
  label: string;
  tabs: readonly { path: string; title: string }[];
}

/** Views that belong together, each with its own address. */
export const Tabs = ({ label, tabs }: TabsProps) => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ path, title }) => (
      <a key={path} href={href(path)} aria-current={place.value.path === path ? 'page' : undefined}>
        {title}
      </a>
    ))}
  </nav>
);
