import type { LegalVersion, SitePage } from '@uprez/contracts/schemas/content/site-pages';
import { legalVersionPath } from '@uprez/contracts/texts/site/pages';
import { Link } from 'react-router';
import { linkStyle } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { sitePageMessages } from './messages.ts';

const text = sitePageMessages.legal;

export const LegalDates = ({ version: { publishedAt, effectiveAt, isInForce } }: { version: LegalVersion }) => (
  <p className="flex flex-wrap gap-x-3 gap-y-1 text-muted text-sm">
    <time dateTime={publishedAt}>{text.updated(publishedAt)}</time>
    <time dateTime={effectiveAt}>{text.effective(effectiveAt)}</time>
    {isInForce && <span>{text.inForce}</span>}
  </p>
);

type Versions = Pick<SitePage, 'slug' | 'versions'>;

export function UpcomingNotice({ slug, versions: [newest] }: Versions) {
  if (!newest || newest.isInForce) return null;
  return (
    <Notice kind="info">
      {text.upcoming(newest.effectiveAt)}{' '}
      <Link to={legalVersionPath(slug, newest.number)} className={`${linkStyle} px-0!`}>
        {text.read(newest.number)}
      </Link>
    </Notice>
  );
}

/**
 * Links to all versions of a legal text. Renders nothing if only one exists. `shown`: the number of the version on this
 * page.
 */
export function LegalVersionList({ slug, versions, shown }: Versions & { shown: number }) {
  if (versions.length < 2) return null;
  return (
    <section aria-labelledby="versions" className="grid gap-3 border-line border-t pt-6">
      <h2 id="versions" className="text-lg">
        {text.versions}
      </h2>
      <ul className="grid gap-2 text-sm">
        {versions.map(({ number, effectiveAt, isInForce }) => (
          <li key={number} className="flex flex-wrap gap-x-3 gap-y-1">
            <Link
              to={legalVersionPath(slug, number)}
              aria-current={number === shown ? 'page' : undefined}
              className="underline decoration-line underline-offset-4 hover:decoration-current aria-[current=page]:font-medium"
            >
              {text.version(number)}
            </Link>
            <span className="text-muted">{text.effective(effectiveAt)}</span>
            {isInForce && <span className="text-muted">{text.inForce}</span>}
          </li>
        ))}
      </ul>
    </section>
  );
}
