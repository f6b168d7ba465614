import { useQuery } from '@tanstack/react-query';
import type { SitePage } from '@uprez/contracts/schemas/content/site-pages';
import { pageDescriptions } from '@uprez/contracts/texts/page-descriptions';
import { shownVersionOf } from '@uprez/contracts/texts/shown-version';
import { Link, type LoaderFunctionArgs, useLocation } from 'react-router';
import { useAuth } from '../features/session/auth-provider.tsx';
import { LegalDates, LegalVersionList, UpcomingNotice } from '../features/site-pages/legal-versions.tsx';
import { sitePageMessages as text } from '../features/site-pages/messages.ts';
import { MissingFacts } from '../features/site-pages/missing-facts.tsx';
import { NoPositions, OpenPositions } from '../features/site-pages/open-positions.tsx';
import { positionsQuery, sitePageQuery } from '../features/site-pages/queries.ts';
import { hasErrorCode } from '../lib/api/api-errors.ts';
import { queryClient } from '../lib/api/query-client.ts';
import { documentTitle } from '../messages.ts';
import { paths } from '../site-map.ts';
import { ArticleSkeleton, ArticleView } from '../ui/article/article-view.tsx';
import { buttonStyle } from '../ui/controls/button.tsx';
import { NotFoundPage } from '../ui/feedback/not-found-page.tsx';
import { QueryView } from '../ui/feedback/query-view.tsx';

/** The slug of a page at the root of the site. */
const slugOf = (pathname: string) => pathname.replaceAll('/', '');
const descriptions: Record<string, string | undefined> = pageDescriptions;

/** Reads the page of the URL. Errors are shown by the page. */
export async function loadSitePage({ request }: LoaderFunctionArgs): Promise<null> {
  const slug = slugOf(new URL(request.url).pathname);
  await Promise.all([
    queryClient.prefetchQuery(sitePageQuery(slug)),
    `/${slug}` === paths.careers && queryClient.prefetchQuery(positionsQuery),
  ]);
  return null;
}

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
  // Benefits and steps of hiring are of no use while there is nothing to apply for.
  const isHiring = !isCareers || positions === undefined || positions.length > 0;
  const shown = shownVersionOf(versions);
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

/** About, careers, and the legal pages. Their texts are articles. */
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
