import { useQuery } from '@tanstack/react-query';
import type { HelpSearch, TextPart } from '@uprez/contracts/schemas/content/help';
import { helpPath, sitePaths } from '@uprez/contracts/texts/pages';
import { Link } from 'react-router';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { searchName } from '../../ui/controls/search-field.tsx';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { helpMessages as text } from './messages.ts';
import { helpSearchQuery } from './queries.ts';

/** A text whose matches are marked. */
const Marked = ({ parts }: { parts: readonly TextPart[] }) =>
  parts.map(({ text: part, isMatch }, index) =>
    isMatch ? (
      <mark key={index} className="rounded-xs bg-accent/20 text-ink">
        {part}
      </mark>
    ) : (
      part
    ),
  );

const Results = ({ results }: Pick<HelpSearch, 'results'>) => (
  <ul className="grid divide-y divide-line border-line border-t">
    {results.map(({ slug, title, excerpt, category }) => (
      <li key={slug} className="grid gap-1 py-4">
        <h2 className="text-base wrap-anywhere">
          <Link to={helpPath(slug)} className="underline-offset-4 hover:underline">
            <Marked parts={title} />
          </Link>
        </h2>
        <p className="text-muted text-sm wrap-anywhere">
          <Marked parts={excerpt} />
        </p>
        {category && <p className="text-muted text-xs">{category}</p>}
      </li>
    ))}
  </ul>
);

/** What a search finds. For a search with a typing error, what its correction finds. */
export function SearchResults({ search }: { search: string }) {
  const query = useQuery(helpSearchQuery(search));
  const { data } = query;
  return (
    <section aria-label={text.search} className="grid gap-3">
      <p role="status" className="text-muted text-sm">
        {data && (data.results.length === 0 ? text.noResults.title : text.results(data.results.length))}
      </p>
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-48 rounded-card" />}
        isEmpty={({ results }) => results.length === 0}
        empty={
          <EmptyState
            title={text.noResults.title}
            text={text.noResults.text}
            action={
              <div className="flex flex-wrap justify-center gap-2">
                <Link to={sitePaths.help} className={buttonStyle({ look: 'secondary' })}>
                  {text.noResults.browse}
                </Link>
                <Link to={sitePaths.contact} className={buttonStyle({ look: 'secondary' })}>
                  {text.more.contact}
                </Link>
              </div>
            }
            illustration={<NoActivityArt />}
          />
        }
      >
        {({ results, suggestion }) => (
          <>
            {suggestion && (
              <p>
                {text.suggestion}{' '}
                <Link
                  to={`${sitePaths.help}?${new URLSearchParams({ [searchName]: suggestion })}`}
                  className="font-medium underline underline-offset-4"
                >
                  {`${suggestion}?`}
                </Link>
              </p>
            )}
            <Results results={results} />
          </>
        )}
      </QueryView>
    </section>
  );
}
