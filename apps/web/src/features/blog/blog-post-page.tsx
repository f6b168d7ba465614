import { useQuery } from '@tanstack/react-query';
import type { PublicPost } from '@uprez/contracts/schemas/content/posts';
import { postPath } from '@uprez/contracts/texts/site/pages';
import { Link, type LoaderFunctionArgs, Navigate, useParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { documentTitle } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { ArticleSkeleton, ArticleView } from '../../ui/article/article-view.tsx';
import { linkStyle } from '../../ui/controls/button.tsx';
import { NotFoundPage } from '../../ui/feedback/not-found-page.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { NewsletterBox } from '../newsletter/subscribe-form.tsx';
import { blogMessages as text } from './messages.ts';
import { PostCategories, PostFacts } from './post-facts.tsx';
import { postQuery } from './queries.ts';

/** Loads the post for the URL. Errors are left to the page, which shows them. */
export async function loadPost({ params: { slug = '' } }: LoaderFunctionArgs): Promise<null> {
  await queryClient.prefetchQuery(postQuery(slug));
  return null;
}

/** A published post. A former URL of the post redirects to its current one. */
export function BlogPostPage() {
  const { slug = '' } = useParams();
  const query = useQuery(postQuery(slug));
  if (hasErrorCode(query.error, 'article_not_found')) return <NotFoundPage />;
  return (
    <QueryView query={query} skeleton={<ArticleSkeleton />}>
      {(post) => (post.slug === slug ? <Post post={post} /> : <Navigate to={postPath(post.slug)} replace />)}
    </QueryView>
  );
}

function Post({ post }: { post: PublicPost }) {
  const { title, excerpt, html, image, seo } = post;
  const back = (
    <Link to={paths.blog} className={`${linkStyle} justify-self-start px-0!`}>
      {text.back}
    </Link>
  );
  return (
    <ArticleView
      documentTitle={documentTitle(seo.title || title)}
      description={seo.description || excerpt}
      title={title}
      excerpt={excerpt}
      html={html}
      image={image}
      above={back}
      facts={<PostFacts post={post} />}
    >
      <PostCategories categories={post.categories} />
      <NewsletterBox />
    </ArticleView>
  );
}
