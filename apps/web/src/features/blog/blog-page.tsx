import { useQuery } from '@tanstack/react-query';
import type { Category } from '@uprez/contracts/schemas/content/articles';
import type { PostCard } from '@uprez/contracts/schemas/content/posts';
import { pageDescriptions } from '@uprez/contracts/texts/site/page-descriptions';
import { categoryPath, postPath, sitePaths } from '@uprez/contracts/texts/site/pages';
import type { ReactNode } from 'react';
import { Link, type LoaderFunctionArgs, Navigate, useLocation, useParams, useSearchParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { documentTitle } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { PostImage } from '../../ui/article/article-view.tsx';
import { buttonStyle } from '../../ui/controls/button.tsx';
import { EmptyState, NoActivityArt } from '../../ui/feedback/empty-state.tsx';
import { NotFoundPage } from '../../ui/feedback/not-found-page.tsx';
import { QueryView, Skeleton } from '../../ui/feedback/query-view.tsx';
import { PageHeading } from '../../ui/layout/page-heading.tsx';
import { NewsletterBox } from '../newsletter/subscribe-form.tsx';
import { blogMessages as text } from './messages.ts';
import { PostCategories, PostFacts } from './post-facts.tsx';
import { categoriesQuery, postsQuery } from './queries.ts';

/** Loads the posts for the URL. Errors are left to the page, which shows them. */
export async function loadPosts({ params, request }: LoaderFunctionArgs): Promise<null> {
  const page = readPage(new URL(request.url).searchParams);
  await Promise.all([
    queryClient.prefetchQuery(postsQuery(params.slug, page)),
    queryClient.prefetchQuery(categoriesQuery),
  ]);
  return null;
}

export const BlogPage = () => (
  <BlogList notFound={<NotFoundPage />}>
    <NewsletterBox />
  </BlogList>
);

export function CategoryPage() {
  const { slug = '' } = useParams();
  return (
    <BlogList key={slug} category={slug} notFound={<NotFoundPage />}>
      <NewsletterBox />
    </BlogList>
  );
}

/** Returns the page number in the URL, or 1 if it is missing or invalid. */
const readPage = (params: URLSearchParams): number => Number(/^[1-9]\d{0,3}$/.exec(params.get('page') ?? '')?.[0] ?? 1);

type HeadingProps = { isCategory: boolean; category: Category | undefined; page: number };

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
  /** Slug of the category. Without it, all posts are listed. */
  category?: string;
  /** Shown if the category or the page number doesn't exist. */
  notFound: ReactNode;
  children?: ReactNode;
};

function BlogList({ category: slug, notFound, children }: BlogListProps) {
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

const linkStyle = buttonStyle({ look: 'secondary' });

function PageLinks({ page, pages }: { page: number; pages: number }) {
  const { pathname } = useLocation();
  if (pages < 2) return null;
  const linkTo = (target: number) => (target === 1 ? pathname : `${pathname}?page=${target}`);
  return (
    <nav aria-label={text.pages} className="flex flex-wrap items-center justify-between gap-3">
      <span className="min-w-28">
        {page > 1 && (
          <Link to={linkTo(page - 1)} rel="prev" className={linkStyle}>
            {text.newer}
          </Link>
        )}
      </span>
      <span className="text-muted text-sm tabular-nums">{text.page(page, pages)}</span>
      <span className="min-w-28 text-right">
        {page < pages && (
          <Link to={linkTo(page + 1)} rel="next" className={linkStyle}>
            {text.older}
          </Link>
        )}
      </span>
    </nav>
  );
}

const chipStyle =
  'control inline-flex items-center rounded-full border border-line bg-surface px-3.5 text-muted text-sm hover:text-ink aria-[current=page]:border-ink aria-[current=page]:bg-ink aria-[current=page]:text-page';

type CategoryChipsProps = {
  categories: readonly Category[];
  current: string | undefined;
};

function CategoryChips({ categories, current }: CategoryChipsProps) {
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

const TitleLink = ({ post }: { post: PostCard }) => (
  <Link to={postPath(post.slug)} className="hover:underline underline-offset-4">
    {post.title}
  </Link>
);

const FeaturedPost = ({ post }: { post: PostCard }) => (
  <article className="grid gap-3 rounded-card border border-line bg-surface p-5 sm:p-8">
    {post.image && <PostImage image={post.image} sizes="(min-width: 60rem) 54rem, 100vw" className="mb-2" />}
    <p className="font-medium text-muted text-xs">{text.featured}</p>
    <h2 className="text-lg wrap-anywhere sm:text-xl">
      <TitleLink post={post} />
    </h2>
    {post.excerpt && <p className="max-w-180 text-muted wrap-anywhere">{post.excerpt}</p>}
    <PostFacts post={post} />
    <PostCategories categories={post.categories} />
  </article>
);

const PostItem = ({ post }: { post: PostCard }) => (
  <article className="grid gap-2 py-6 sm:flex sm:items-start sm:justify-between sm:gap-6">
    {post.image && (
      <PostImage
        image={post.image}
        sizes="(min-width: 40rem) 13rem, 100vw"
        className="mb-1 sm:order-last sm:w-52 sm:shrink-0"
      />
    )}
    <div className="grid min-w-0 gap-2">
      <h2 className="text-lg wrap-anywhere">
        <TitleLink post={post} />
      </h2>
      {post.excerpt && <p className="max-w-180 text-muted wrap-anywhere">{post.excerpt}</p>}
      <PostFacts post={post} />
      <PostCategories categories={post.categories} />
    </div>
  </article>
);
