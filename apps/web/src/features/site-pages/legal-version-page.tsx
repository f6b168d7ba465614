import { useQuery } from '@tanstack/react-query';
import type { LegalText } from '@uprez/contracts/schemas/content/site-pages';
import { Link, type LoaderFunctionArgs, useLocation, useParams, useSearchParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { documentTitle } from '../../messages.ts';
import { ArticleSkeleton, ArticleView } from '../../ui/article/article-view.tsx';
import { Changes, compareTexts } from '../../ui/article/changes.tsx';
import { linkStyle } from '../../ui/controls/button.tsx';
import { Select } from '../../ui/controls/select.tsx';
import { NotFoundPage } from '../../ui/feedback/not-found-page.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { LegalDates, LegalVersionList } from './legal-versions.tsx';
import { sitePageMessages } from './messages.ts';
import { legalTextQuery } from './queries.ts';

const text = sitePageMessages.legal;

/** From a version's path, such as `/terms/...`. */
const slugOf = (pathname: string) => pathname.split('/')[1] ?? '';

/** Prefetches the version that the URL names. The page shows errors. */
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

const compareParam = 'compare';

const textOf = (html: string) => new DOMParser().parseFromString(html, 'text/html').body.textContent ?? '';

function Comparison({ legal, number }: { legal: LegalText; number: number }) {
  const query = useQuery(legalTextQuery(legal.slug, String(number)));
  return (
    <QueryView query={query} skeleton={<Skeleton className="h-64" />}>
      {({ html }) => {
        const parts = compareTexts(textOf(html), textOf(legal.html));
        if (parts.every(({ kind }) => kind === 'same')) return <p className="text-muted text-sm">{text.same}</p>;
        return (
          <div className="grid gap-2">
            <p className="text-muted text-xs">{text.legend(number)}</p>
            <Changes parts={parts} />
          </div>
        );
      }}
    </QueryView>
  );
}

/** Shows the differences from another version of the legal text, by default the previous version. */
function LegalChanges({ legal }: { legal: LegalText }) {
  const [params, setParams] = useSearchParams();
  const own = legal.version.number;
  const others = legal.versions.filter(({ number }) => number !== own);
  const asked = others.find(({ number }) => String(number) === params.get(compareParam));
  const other = asked ?? others.find(({ number }) => number < own) ?? others.at(-1);
  if (!other) return null;
  return (
    <section aria-labelledby="changes" className="grid gap-4 border-line border-t pt-6">
      <h2 id="changes" className="text-lg">
        {text.changes}
      </h2>
      <div className="max-w-60">
        <Select
          label={text.compareWith}
          value={String(other.number)}
          onChange={(number) => setParams({ [compareParam]: number }, { replace: true, preventScrollReset: true })}
          options={others.map(({ number }) => ({ value: String(number), label: text.version(number) }))}
        />
      </div>
      <Comparison legal={legal} number={other.number} />
    </section>
  );
}
