import clsx from 'clsx';
import { type ReactNode, useEffect, useRef } from 'react';
import { useLocation } from 'react-router';
import { accountMessages } from './messages.ts';

/** Sections of the account page in their order. Each is also the anchor of its section. */
export const accountSectionIds = [
  'profile',
  'email',
  'password',
  'two-factor',
  'devices',
  'plan',
  'export',
  'delete',
] as const;
export type AccountSectionId = (typeof accountSectionIds)[number];

type AccountSectionProps = { part: AccountSectionId; state?: ReactNode; danger?: boolean; children: ReactNode };

/** A section of the account page. Its heading takes the focus when a link leads to its anchor. */
export function AccountSection({ part, state, danger = false, children }: AccountSectionProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  const location = useLocation();
  const headingId = `${part}-heading`;
  useEffect(() => {
    if (location.hash === `#${part}`) heading.current?.focus();
  }, [location, part]);
  return (
    <section
      id={part}
      aria-labelledby={headingId}
      className={clsx(
        'grid grid-cols-[minmax(0,1fr)] gap-4 rounded-card border bg-surface p-5 sm:p-7',
        danger ? 'border-danger' : 'border-line',
      )}
    >
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-1">
        <h2 ref={heading} id={headingId} tabIndex={-1} className="scroll-mt-24 text-lg outline-none">
          {accountMessages.parts[part]}
        </h2>
        {state}
      </div>
      {children}
    </section>
  );
}
