import { Link } from 'react-router';
import { useVisibleSection } from '../../../lib/layout/use-visible-section.ts';
import { documentationMessages as text } from '../messages.ts';

export type Entry = { id: string; label: string };

export function Outline({ entries }: { entries: readonly Entry[] }) {
  const visible = useVisibleSection(entries.map(({ id }) => id));
  return (
    <nav aria-label={text.outline} className="max-lg:hidden">
      <ul className="grid gap-px text-sm">
        {entries.map(({ id, label }) => (
          <li key={id}>
            <Link
              to={`#${id}`}
              aria-current={id === visible ? 'location' : undefined}
              className="flex min-h-8 items-center rounded-small px-2.5 text-muted hover:text-ink aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink"
            >
              {label}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
