import { missingFacts } from '@uprez/contracts/policy/legal-facts';
import { adminPages } from '@uprez/contracts/texts/admin-pages';
import { formatList } from '@uprez/contracts/texts/format';
import { legalFactNames } from '@uprez/contracts/texts/legal-facts';
import { Link } from 'react-router';
import { useSite } from '../../lib/api/queries.ts';
import { linkStyle } from '../../ui/controls/button.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { sitePageMessages } from './messages.ts';

const text = sitePageMessages.legal.facts;

/** Names the facts that a legal text lacks. For administrators only. */
export function MissingFacts({ slug, mayEnter }: { slug: string; mayEnter: boolean }) {
  const { data: site } = useSite();
  if (!site) return null;
  const missing = missingFacts(slug, site);
  if (missing.length === 0) return null;
  return (
    <Notice kind="warning">
      {text.missing(formatList(missing.map((name) => legalFactNames[name])))}{' '}
      {mayEnter && (
        <Link to={adminPages.settings} className={`${linkStyle} px-0!`}>
          {text.enter}
        </Link>
      )}
    </Notice>
  );
}
