import clsx from 'clsx';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router';

const label = 'On this page';
/** Only sections that cross a line in the upper third of the window count as visible. */
const rootMargin = '-30% 0px -69% 0px';

export type OutlineEntry = { id: string; label: string };

/** Returns the ID of the section being read, initially the first. */
function useVisibleSection(entries: readonly OutlineEntry[]): string | undefined {
  const [visible, setVisible] = useState<string>();
  useEffect(() => {
    const observer = new IntersectionObserver(
      (changes) => {
        const entered = changes.find(({ isIntersecting }) => isIntersecting)?.target.id;
        if (entered) setVisible(entered);
      },
      { rootMargin },
    );
    for (const { id } of entries) {
      const section = document.getElementById(id);
      if (section) observer.observe(section);
    }
    return () => observer.disconnect();
  }, [entries]);
  return entries.some(({ id }) => id === visible) ? visible : entries[0]?.id;
}

type OutlineProps = {
  entries: readonly OutlineEntry[];
  className?: string;
  linkStyle: string;
  children?: ReactNode;
};

/** Hidden on small screens. */
export function Outline({ entries, className, linkStyle, children }: OutlineProps) {
  const visible = useVisibleSection(entries);
  return (
    <nav aria-label={label} className={clsx('max-lg:hidden', className)}>
      <ul className="grid gap-px text-sm">
        {entries.map((entry) => (
          <li key={entry.id}>
            <Link
              to={`#${entry.id}`}
              aria-current={entry.id === visible ? 'location' : undefined}
              className={clsx(
                'flex items-center text-muted hover:text-ink aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink',
                linkStyle,
              )}
            >
              {entry.label}
            </Link>
          </li>
        ))}
      </ul>
      {children}
    </nav>
  );
}
