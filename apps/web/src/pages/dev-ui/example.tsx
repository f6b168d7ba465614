import type { ReactNode } from 'react';
import { devUiMessages } from './messages.ts';

type ExampleProps = { section: keyof typeof devUiMessages.sections; children: ReactNode };

/** A group of components. */
export function Example({ section, children }: ExampleProps) {
  return (
    <section className="grid gap-4 border-line border-t pt-5">
      <h2 className="text-lg">{devUiMessages.sections[section]}</h2>
      {children}
    </section>
  );
}

export const Row = ({ children }: { children: ReactNode }) => (
  <div className="flex flex-wrap items-center gap-3">{children}</div>
);

export const Grid = ({ children }: { children: ReactNode }) => (
  <div className="grid gap-5 sm:grid-cols-2 lg:grid-cols-3">{children}</div>
);
