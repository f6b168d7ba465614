import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

type PageHeadingProps = { title: string; className?: string; children: ReactNode };

/** The h1 of a page and its document title. After a move inside the site it takes the focus, as a new page would. */
export function PageHeading({ title, className, children }: PageHeadingProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { key, hash } = useLocation();
  const arrived = key !== 'default' && hash === '';
  useEffect(() => {
    if (arrived) heading.current?.focus({ preventScroll: true });
  }, [arrived]);
  return (
    <>
      <title>{title}</title>
      <h1 ref={heading} tabIndex={-1} className={className}>
        {children}
      </h1>
    </>
  );
}
