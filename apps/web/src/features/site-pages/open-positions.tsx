import { useQuery } from '@tanstack/react-query';
import { positionPath } from '@uprez/contracts/texts/pages';
import { Link } from 'react-router';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { MailLink } from './mail-link.tsx';
import { sitePageMessages } from './messages.ts';
import { positionsQuery } from './queries.ts';

const text = sitePageMessages.careers;

/** The positions that are open, or that there are none, and how to apply. */
export function OpenPositions() {
  const query = useQuery(positionsQuery);
  return (
    <section aria-labelledby="positions" className="grid gap-4">
      <h2 id="positions" className="text-lg">
        {text.positions}
      </h2>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-32 rounded-card" />}
        empty={<EmptyState {...text.none} illustration={<NoActivityArt />} />}
      >
        {(positions) => (
          <ul className="grid gap-3">
            {positions.map(({ slug, title, department, excerpt }) => (
              <li key={slug} className="grid gap-0.5 rounded-card border border-line bg-surface p-4 sm:p-5">
                <h3 className="text-base wrap-anywhere">
                  <Link to={positionPath(slug)} className="underline-offset-4 hover:underline">
                    {title}
                  </Link>
                </h3>
                <p className="text-muted text-sm">{[department, excerpt].filter(Boolean).join(' · ')}</p>
              </li>
            ))}
          </ul>
        )}
      </QueryView>
      <MailLink label={text.write} />
    </section>
  );
}
