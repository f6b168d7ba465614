import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { usePageHead } from './use-page-head.ts';

/**
 * Navigation state that keeps the focus where it is. For pages that change their path while the user is filling in
 * fields.
 */
export const keepFocusState = { keepsFocus: true } as const;
const hasKeepFocusState = (state: unknown) => (state as typeof keepFocusState | null)?.keepsFocus === true;

type PageHeadingProps = {
  title: string;
  description?: string;
  /** Page number within a list. A change also moves the focus to the heading. */
  part?: number;
  className?: string;
  children: ReactNode;
};

/**
 * A heading that takes the focus after navigation, unless only the query string has changed. `title`: document title.
 * `description`: meta description, for pages that have none in `pageDescriptions`.
 */
export function PageHeading({ title, description, part, className, children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const seen = useRef<string>(undefined);
  const { key, hash, pathname, state } = useLocation();
  usePageHead(title, description, part);
  useEffect(() => {
    const place = [pathname, part, hash].join(' ');
    const moved = seen.current !== place;
    seen.current = place;
    // Don't take the focus from an open dialog: its focus trap would return the focus to the field and select the text,
    // which the next key would replace.
    const isBehind = document.activeElement?.closest('[role$="dialog"][data-state="open"]');
    if (moved && !isBehind && !hasKeepFocusState(state) && key !== 'default' && hash === '')
      heading.current?.focus({ preventScroll: true });
  }, [key, hash, pathname, part, state]);
  return (
    <h1 ref={heading} tabIndex={-1} className={className}>
      {children}
    </h1>
  );
}

/** `title`: document title. */
export function CardPage({ title, heading, children }: { title: string; heading: string; children: ReactNode }) {
  return (
    <div className="grid w-full grow place-content-center grid-cols-[minmax(0,28rem)] px-4 py-10 sm:px-6 md:py-20">
      <section className="grid gap-5 rounded-card border border-line bg-surface p-5 sm:p-7">
        <PageHeading title={title} className="text-lg">
          {heading}
        </PageHeading>
        {children}
      </section>
    </div>
  );
}
