import { useQuery } from '@tanstack/react-query';
import type { Category } from '@uprez/contracts/schemas/content/categories';
import { pageDescriptions } from '@uprez/contracts/texts/page-descriptions';
import { categoryPath, sitePaths } from '@uprez/contracts/texts/pages';
import type { ReactNode } from 'react';
import { Navigate, useSearchParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { documentTitle } from '../../messages.ts';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { CategoryChips } from './category-chips.tsx';
import { blogMessages as text } from './messages.ts';
import { PageLinks } from './page-links.tsx';
import { FeaturedPost, PostItem } from './post-card.tsx';
import { categoriesQuery, postsQuery } from './queries.ts';

/** The number of the page in a URL; 1 for anything else. */
export const readPage = (params: URLSearchParams): number =>
  Number(/^[1-9]\d{0,3}$/.exec(params.get('page') ?? '')?.[0] ?? 1);

type HeadingProps = { isCategory: boolean; category: Category | undefined; page: number };

/** The name and the description of the list. The category is unknown until all of them are loaded. */
function Heading({ isCategory, category, page }: HeadingProps) {
  const name = isCategory ? (category?.name ?? '') : text.title;
  const title = category ? text.documents.category(name) : text.title;
  const description = isCategory ? (category?.description ?? '') : pageDescriptions[sitePaths.blog];
  return (
    <div className="grid gap-2">
      <PageHeading
        title={documentTitle(text.documents.page(title, page))}
        part={page}
        {...(isCategory && description && { description })}
        className="min-h-[1lh] text-xl wrap-anywhere sm:text-2xl"
      >
        {name}
      </PageHeading>
      <p className="max-w-180 text-muted wrap-anywhere">{description}</p>
    </div>
  );
}

type BlogListProps = {
  /** The slug of a category. */
  category?: string;
  /** Shown if there is no such category or page. */
  notFound: ReactNode;
  /** Shown below the posts. */
  children?: ReactNode;
};

/** Posts, the latest first: of a category, or all with the featured one on top. */
export function BlogList({ category: slug, notFound, children }: BlogListProps) {
  const [params] = useSearchParams();
  const page = readPage(params);
  const query = useQuery(postsQuery(slug, page));
  const { data: categories = [] } = useQuery(categoriesQuery);
  const category = categories.find((one) => one.slug === slug);
  const chips = categories.filter((one) => one.posts > 0 || one === category);
  const isBeyondEnd = query.data !== undefined && page > query.data.pages;
  if (isBeyondEnd || hasErrorCode(query.error, 'category_not_found')) return notFound;
  const present = query.data?.category;
  if (present && present !== slug) return <Navigate to={categoryPath(present)} replace />;
  const emptyState = slug === undefined ? text.empty : { title: text.noCategory };
  return (
    <div className="mx-auto grid w-full max-w-240 grid-cols-[minmax(0,1fr)] content-start gap-8 px-4 py-10 sm:px-6 md:py-16">
      <Heading isCategory={slug !== undefined} category={category} page={page} />
      {chips.length > 0 && <CategoryChips categories={chips} current={slug} />}
      <QueryView
        query={query}
        skeleton={<Skeleton className="h-96 rounded-card" />}
        isEmpty={({ featured, posts }) => !featured && posts.length === 0}
        empty={<EmptyState {...emptyState} illustration={<NoActivityArt />} />}
      >
        {({ featured, posts, pages }) => (
          <>
            {featured && <FeaturedPost post={featured} />}
            {posts.length > 0 && (
              <ul aria-label={text.posts} className="grid divide-y divide-line border-line border-t">
                {posts.map((post) => (
                  <li key={post.slug}>
                    <PostItem post={post} />
                  </li>
                ))}
              </ul>
            )}
            <PageLinks page={page} pages={pages} />
          </>
        )}
      </QueryView>
      {children}
    </div>
  );
}
