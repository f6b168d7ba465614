import clsx from 'clsx';
import { type ReactNode, useId } from 'react';

type CardProps = { title?: string; actions?: ReactNode; children: ReactNode; className?: string };

export function Card({ title, actions, children, className }: CardProps) {
  const id = useId();
  return (
    <section
      aria-labelledby={title ? id : undefined}
      className={clsx(
        'grid min-w-0 content-start gap-4 rounded-card border border-line bg-surface p-4 sm:p-5',
        className,
      )}
    >
      {(title || actions) && (
        <div className="flex min-w-0 flex-wrap items-center justify-between gap-x-4 gap-y-2">
          {title && (
            <h2 id={id} className="min-w-0 text-base wrap-anywhere">
              {title}
            </h2>
          )}
          {actions && <div className="flex flex-wrap items-center gap-2">{actions}</div>}
        </div>
      )}
      {children}
    </section>
  );
}
