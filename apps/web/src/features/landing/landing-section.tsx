import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';

type LandingSectionProps = { id: string; title: string; children: ReactNode; aside?: ReactNode };

/** A section of the landing page. Its heading takes the focus when a link leads to its anchor. */
export function LandingSection({ id, title, aside, children }: LandingSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const { hash, key } = useLocation();
  // Depends on `key`, because following the same link again changes only that.
  useEffect(() => {
    if (hash !== `#${id}`) return;
    document.getElementById(id)?.scrollIntoView();
    heading.current?.focus({ preventScroll: true });
  }, [hash, id, key]);
  return (
    <section id={id} aria-labelledby={`${id}-title`} className="border-line border-t">
      <div className="mx-auto grid max-w-300 grid-cols-[minmax(0,1fr)] gap-8 px-4 py-14 sm:px-6 sm:py-20">
        <div className="flex flex-wrap items-end justify-between gap-x-8 gap-y-3">
          <h2 id={`${id}-title`} ref={heading} tabIndex={-1} className="text-xl outline-none">
            {title}
          </h2>
          {aside}
        </div>
        {children}
      </div>
    </section>
  );
}
