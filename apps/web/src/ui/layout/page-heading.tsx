import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

type PageHeadingProps = { title: string; className?: string; children: ReactNode };

/** Takes the focus after navigation, but not when only the query string changes. `title`: document title. */
export function PageHeading({ title, className, children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const seen = useRef<string>(undefined);
  const { key, hash, pathname } = useLocation();
  useEffect(() => {
    const place = pathname + hash;
    const moved = seen.current !== place;
    seen.current = place;
    if (moved && key !== 'default' && hash === '') heading.current?.focus({ preventScroll: true });
  }, [key, hash, pathname]);
  return (
    <>
      <title>{title}</title>
      <h1 ref={heading} tabIndex={-1} className={className}>
        {children}
      </h1>
    </>
  );
}
