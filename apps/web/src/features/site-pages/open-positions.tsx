import type { PositionCard } from '@uprez/contracts/schemas/content/site-pages';
import { withoutPositions, writeTo } from '@uprez/contracts/texts/careers';
import { positionPath } from '@uprez/contracts/texts/pages';
import { Link } from 'react-router';
import { useSite } from '../../lib/api/queries.ts';
import { MailLink } from './mail-link.tsx';
import { sitePageMessages } from './messages.ts';

const text = sitePageMessages.careers;

/** All of the careers page while no position is open. */
export function NoPositions() {
  const email = useSite().data?.contactEmail;
  return (
    <p className="text-lg text-muted">
      {withoutPositions.join(' ')}{' '}
      {email && (
        <>
          {writeTo}{' '}
          <a href={`mailto:${email}`} className="underline underline-offset-4 wrap-anywhere hover:text-ink">
            {email}
          </a>
          {'.'}
        </>
      )}
    </p>
  );
}

/** The positions that are open, and how to apply. */
export const OpenPositions = ({ positions }: { positions: readonly PositionCard[] }) => (
  <section aria-labelledby="positions" className="grid gap-4">
    <h2 id="positions" className="text-lg">
      {text.positions}
    </h2>
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
    <MailLink label={text.write} />
  </section>
);
