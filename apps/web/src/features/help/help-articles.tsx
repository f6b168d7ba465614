import { queryOptions } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import type { HelpCard } from '@uprez/contracts/schemas/content/help';
import { helpPath } from '@uprez/contracts/texts/site/pages';
import { Link } from 'react-router';
import { api } from '../../lib/api/api.ts';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { helpMessages as text } from './messages.ts';

type FactsProps = Pick<HelpCard, 'category' | 'readingMinutes'>;

export const ArticleFacts = ({ category, readingMinutes }: FactsProps) => (
  <p className="text-muted text-sm">
    {category && (
      <>
        {category}
        <span aria-hidden="true">{' · '}</span>
      </>
    )}
    <span aria-hidden="true">{text.readingTime(readingMinutes)}</span>
    <span className="sr-only">{text.readingTimeLabel(readingMinutes)}</span>
  </p>
);

export function PopularArticles({ articles }: { articles: readonly HelpCard[] }) {
  if (articles.length === 0) return <EmptyState {...text.noPopular} illustration={<NoActivityArt />} />;
  return (
    <ul aria-label={text.tabs.popular} className="grid gap-3 sm:grid-cols-2">
      {articles.map(({ slug, title, excerpt, ...facts }) => (
        <li key={slug} className="grid content-start gap-1.5 rounded-card border border-line bg-surface p-4 sm:p-5">
          <h2 className="text-base wrap-anywhere">
            <Link to={helpPath(slug)} className="underline-offset-4 hover:underline">
              {title}
            </Link>
          </h2>
          {excerpt && <p className="text-muted text-sm wrap-anywhere">{excerpt}</p>}
          <ArticleFacts {...facts} />
        </li>
      ))}
    </ul>
  );
}

/** Keeps a rendered page from fetching again what its loader just fetched. */
const fresh = { staleTime: 10_000, retryOnMount: false } as const;

export const helpCenterQuery = queryOptions({
  queryKey: [apiRoutes.getHelpCenter.path],
  queryFn: async ({ signal }) => (await api.getHelpCenter({ signal })).data,
  ...fresh,
});

export const helpArticleQuery = (slug: string) =>
  queryOptions({
    queryKey: [apiRoutes.getHelpArticle.path, slug],
    queryFn: async ({ signal }) => (await api.getHelpArticle({ params: { slug }, signal })).data,
    ...fresh,
  });

/** Each search is counted, so the same search isn't sent again within `staleTime`. */
export const helpSearchQuery = (search: string) =>
  queryOptions({
    queryKey: [apiRoutes.searchHelp.path, search],
    queryFn: async ({ signal }) => (await api.searchHelp({ query: { q: search }, signal })).data,
    staleTime: 60_000,
    retryOnMount: false,
  });
