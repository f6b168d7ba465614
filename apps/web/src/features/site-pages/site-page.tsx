import { useQuery } from '@tanstack/react-query';
import { findDisplayedVersion, legalFactNames, listMissingFacts } from '@uprez/contracts/policy/legal-texts';
import type { PositionCard, SitePage } from '@uprez/contracts/schemas/content/site-pages';
import { adminPages } from '@uprez/contracts/texts/admin/admin-pages';
import { formatList } from '@uprez/contracts/texts/format';
import { noPositionsTexts, writeToLabel } from '@uprez/contracts/texts/site/contact';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { positionPath } from '@uprez/contracts/texts/site/pages';
import { Link, type LoaderFunctionArgs, useLocation } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { useSite } from '../../lib/api/queries.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { documentTitle } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { ArticleSkeleton, ArticleView } from '../../ui/article/article-view.tsx';
import { buttonStyle, linkStyle } from '../../ui/controls/button.tsx';
import { NotFoundPage } from '../../ui/feedback/not-found-page.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { useAuth } from '../session/auth-provider.tsx';
import { LegalDates, LegalVersionList, UpcomingNotice } from './legal-versions.tsx';
import { MailLink } from './mail-link.tsx';
import { sitePageMessages, sitePageMessages as text } from './messages.ts';
import { positionsQuery, sitePageQuery } from './queries.ts';

/** Prefetches the page that the URL names. The page shows errors. */
export async function loadSitePage({ request }: LoaderFunctionArgs): Promise<null> {
  const slug = slugOf(new URL(request.url).pathname);
  await Promise.all([
    queryClient.prefetchQuery(sitePageQuery(slug)),
    `/${slug}` === paths.careers && queryClient.prefetchQuery(positionsQuery),
  ]);
  return null;
}

/** The about, careers, and legal pages. Each page's content is stored as an article. */
export function SitePageView() {
  const slug = slugOf(useLocation().pathname);
  const query = useQuery(sitePageQuery(slug));
  if (hasErrorCode(query.error, 'article_not_found')) return <NotFoundPage />;
  return (
    <QueryView query={query} skeleton={<ArticleSkeleton />}>
      {(page) => <Page page={page} />}
    </QueryView>
  );
}

const slugOf = (pathname: string) => pathname.replaceAll('/', '');

const descriptions: Record<string, string | undefined> = pageDescriptions;

const AboutActions = () => (
  <p className="flex flex-wrap gap-3">
    <Link to={paths.auth} className={buttonStyle()}>
      {text.about.start}
    </Link>
    <Link to={paths.pricing} className={buttonStyle({ look: 'secondary' })}>
      {text.about.pricing}
    </Link>
  </p>
);

const Page = ({ page: { title, slug, excerpt, html, versions, seo } }: { page: SitePage }) => {
  const { user } = useAuth();
  const path = `/${slug}`;
  const isCareers = path === paths.careers;
  const { data: positions } = useQuery({ ...positionsQuery, enabled: isCareers });
  // While no position is open, the careers article is hidden, because it describes benefits and the hiring process.
  const isHiring = !isCareers || positions === undefined || positions.length > 0;
  const shown = findDisplayedVersion(versions);
  return (
    <ArticleView
      documentTitle={documentTitle(seo.title || title)}
      description={seo.description || (descriptions[path] ?? '')}
      title={title}
      excerpt={isHiring ? excerpt : ''}
      html={isHiring ? html : ''}
      {...(shown && {
        facts: (
          <>
            <LegalDates version={shown} />
            <UpcomingNotice {...{ slug, versions }} />
            {user?.isAdmin && <MissingFacts slug={slug} mayEnter={user.permissions.includes('settings.read')} />}
          </>
        ),
      })}
    >
      {path === paths.about && <AboutActions />}
      {isCareers && positions && (isHiring ? <OpenPositions positions={positions} /> : <NoPositions />)}
      {shown && <LegalVersionList {...{ slug, versions }} shown={shown.number} />}
    </ArticleView>
  );
};

const factsText = sitePageMessages.legal.facts;

/** Shown only to administrators. */
function MissingFacts({ slug, mayEnter }: { slug: string; mayEnter: boolean }) {
  const { data: site } = useSite();
  if (!site) return null;
  const missing = listMissingFacts(slug, site);
  if (missing.length === 0) return null;
  return (
    <Notice kind="warning">
      {factsText.missing(formatList(missing.map((name) => legalFactNames[name])))}{' '}
      {mayEnter && (
        <Link to={adminPages.settings} className={`${linkStyle} px-0!`}>
          {factsText.enter}
        </Link>
      )}
    </Notice>
  );
}

const careersText = sitePageMessages.careers;

function NoPositions() {
  const email = useSite().data?.contactEmail;
  return (
    <p className="text-lg text-muted">
      {noPositionsTexts.join(' ')}{' '}
      {email && (
        <>
          {writeToLabel}{' '}
          <a href={`mailto:${email}`} className="underline underline-offset-4 wrap-anywhere hover:text-ink">
            {email}
          </a>
          {'.'}
        </>
      )}
    </p>
  );
}

const OpenPositions = ({ positions }: { positions: readonly PositionCard[] }) => (
  <section aria-labelledby="positions" className="grid gap-4">
    <h2 id="positions" className="text-lg">
      {careersText.positions}
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
    <MailLink label={careersText.write} />
  </section>
);
