import { Link } from 'react-router';
import { useVisibleSection } from '../../lib/layout/use-visible-section.ts';
import type { AccountSectionId } from './account-section.tsx';
import { accountMessages } from './messages.ts';

/** Table of contents of the account page, with the current section marked. Hidden on small screens. */
export function AccountNav({ parts }: { parts: readonly AccountSectionId[] }) {
  const visible = useVisibleSection(parts);
  return (
    <nav aria-label={accountMessages.nav} className="sticky top-20 max-lg:hidden">
      <ul className="grid gap-0.5 text-sm">
        {parts.map((part) => (
          <li key={part}>
            <Link
              to={`#${part}`}
              aria-current={part === visible ? 'location' : undefined}
              className="control flex items-center rounded-control px-3 text-muted hover:bg-sunken hover:text-ink aria-[current]:bg-sunken aria-[current]:font-medium aria-[current]:text-ink"
            >
              {accountMessages.parts[part]}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
