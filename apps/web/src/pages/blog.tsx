import { type LoaderFunctionArgs, useParams } from 'react-router';
import { BlogList, readPage } from '../features/blog/blog-list.tsx';
import { categoriesQuery, postsQuery } from '../features/blog/queries.ts';
import { NewsletterBox } from '../features/newsletter/newsletter-box.tsx';
import { queryClient } from '../lib/api/query-client.ts';
import { NotFoundPage } from '../ui/feedback/not-found-page.tsx';

/** Reads the posts of the URL. Errors are shown by the page. */
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

/** The posts of a category. */
export function CategoryPage() {
  const { slug = '' } = useParams();
  return (
    <BlogList key={slug} category={slug} notFound={<NotFoundPage />}>
      <NewsletterBox />
    </BlogList>
  );
}
