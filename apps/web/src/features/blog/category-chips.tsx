import type { Category } from '@uprez/contracts/schemas/content/categories';
import { categoryPath } from '@uprez/contracts/texts/pages';
import { Link } from 'react-router';
import { paths } from '../../site-map.ts';
import { blogMessages as text } from './messages.ts';

const chipStyle =
  'control inline-flex items-center rounded-full border border-line bg-surface px-3.5 text-muted text-sm hover:text-ink aria-[current=page]:border-ink aria-[current=page]:bg-ink aria-[current=page]:text-page';

type CategoryChipsProps = {
  categories: readonly Category[] /** The slug of the current category. */;
  current: string | undefined;
};

/** Links to all posts, and to those of each category. */
export function CategoryChips({ categories, current }: CategoryChipsProps) {
  const chips = [
    { slug: undefined, name: text.all, to: paths.blog },
    ...categories.map(({ slug, name }) => ({ slug, name, to: categoryPath(slug) })),
  ];
  return (
    <nav aria-label={text.categories}>
      <ul className="flex flex-wrap gap-2">
        {chips.map(({ slug, name, to }) => (
          <li key={to}>
            <Link to={to} aria-current={slug === current ? 'page' : undefined} className={chipStyle}>
              {name}
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  );
}
