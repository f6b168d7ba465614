import type { HelpCard } from '@uprez/contracts/schemas/content/help';
import { helpPath } from '@uprez/contracts/texts/site/pages';
import { Link } from 'react-router';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { helpMessages as text } from './messages.ts';

type FactsProps = Pick<HelpCard, 'category' | 'readingMinutes'>;

/** The category and the reading time of an article. */
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

/** Cards of popular articles. */
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
