import { useQuery } from '@tanstack/react-query';
import type { LegalText } from '@uprez/contracts/schemas/content/site-pages';
import { Link, type LoaderFunctionArgs, useLocation, useParams } from 'react-router';
import { LegalChanges } from '../features/site-pages/legal-changes.tsx';
import { LegalDates, LegalVersionList } from '../features/site-pages/legal-versions.tsx';
import { sitePageMessages } from '../features/site-pages/messages.ts';
import { legalTextQuery } from '../features/site-pages/queries.ts';
import { hasErrorCode } from '../lib/api/api-errors.ts';
import { queryClient } from '../lib/api/query-client.ts';
import { documentTitle } from '../messages.ts';
import { ArticleSkeleton, ArticleView } from '../ui/article/article-view.tsx';
import { linkStyle } from '../ui/controls/button.tsx';
import { Notice } from '../ui/feedback/notice.tsx';
import { QueryView } from '../ui/feedback/query-view.tsx';
import { NotFoundPage } from './not-found.tsx';

const text = sitePageMessages.legal;

/** The slug of the text that a path of a version begins with. */
const slugOf = (pathname: string) => pathname.split('/')[1] ?? '';

/** Reads the version of the URL. Errors are shown by the page. */
export async function loadLegalVersion({ request, params: { number = '' } }: LoaderFunctionArgs): Promise<null> {
  await queryClient.prefetchQuery(legalTextQuery(slugOf(new URL(request.url).pathname), number));
  return null;
}

const Page = ({ legal }: { legal: LegalText }) => {
  const { title, slug, html, version, versions } = legal;
  const heading = text.titleOf(title, version.number);
  const isNewest = versions[0]?.number === version.number;
  const back = (
    <Link to={`/${slug}`} className={`${linkStyle} justify-self-start px-0!`}>
      {text.current(title)}
    </Link>
  );
  return (
    <ArticleView
      documentTitle={documentTitle(heading)}
      title={heading}
      excerpt=""
      html={html}
      above={back}
      facts={
        <>
          <LegalDates version={version} />
          {!isNewest && <Notice kind="info">{text.newer}</Notice>}
        </>
      }
    >
      <LegalChanges legal={legal} />
      <LegalVersionList {...{ slug, versions }} shown={version.number} />
    </ArticleView>
  );
};

/** A version of a legal text, and how it differs from others. */
export function LegalVersionPage() {
  const { number = '' } = useParams();
  const query = useQuery(legalTextQuery(slugOf(useLocation().pathname), number));
  if (hasErrorCode(query.error, 'article_not_found')) return <NotFoundPage />;
  return (
    <QueryView query={query} skeleton={<ArticleSkeleton />}>
      {(legal) => <Page legal={legal} />}
    </QueryView>
  );
}
