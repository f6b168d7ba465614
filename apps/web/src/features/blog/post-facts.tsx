import type { PostCard } from '@uprez/contracts/schemas/content/posts';
import { categoryPath } from '@uprez/contracts/texts/site/pages';
import { Link } from 'react-router';
import { formatDate } from '../../lib/format/format.ts';
import { blogMessages as text } from './messages.ts';

const separator = <span aria-hidden="true">{' · '}</span>;

export const ReadingTime = ({ minutes }: { minutes: number }) => (
  <>
    <span aria-hidden="true">{text.readingTime(minutes)}</span>
    <span className="sr-only">{text.readingTimeLabel(minutes)}</span>
  </>
);

type PostFactsProps = { post: Pick<PostCard, 'author' | 'publishedAt' | 'readingMinutes'> };

export const PostFacts = ({ post: { author, publishedAt, readingMinutes } }: PostFactsProps) => (
  <p className="text-muted text-sm">
    {author && (
      <>
        {author}
        {separator}
      </>
    )}
    <time dateTime={publishedAt}>{formatDate(publishedAt)}</time>
    {separator}
    <ReadingTime minutes={readingMinutes} />
  </p>
);

export const PostCategories = ({ categories }: Pick<PostCard, 'categories'>) =>
  categories.length > 0 && (
    <ul aria-label={text.categories} className="flex flex-wrap gap-x-3 gap-y-1 text-sm">
      {categories.map(({ name, slug }) => (
        <li key={slug}>
          <Link
            to={categoryPath(slug)}
            className="inline-block py-0.5 text-muted underline decoration-line underline-offset-4 hover:text-ink hover:decoration-current"
          >
            {name}
          </Link>
        </li>
      ))}
    </ul>
  );
