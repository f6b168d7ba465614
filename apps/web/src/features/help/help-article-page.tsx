import { useQuery } from '@tanstack/react-query';
import type { HelpArticle } from '@uprez/contracts/schemas/content/help';
import { helpPath } from '@uprez/contracts/texts/site/pages';
import { Link, type LoaderFunctionArgs, Navigate, useParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { documentTitle } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { ArticleSkeleton, ArticleView } from '../../ui/article/article-view.tsx';
import { linkStyle } from '../../ui/controls/button.tsx';
import { NotFoundPage } from '../../ui/feedback/not-found-page.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { ArticleFacts, helpArticleQuery } from './help-articles.tsx';
import { helpMessages as text } from './messages.ts';
import { VoteForm } from './vote-form.tsx';

/** Loads the article for the URL. Errors are left to the page, which shows them. */
export async function loadHelpArticle({ params: { slug = '' } }: LoaderFunctionArgs): Promise<null> {
  await queryClient.prefetchQuery(helpArticleQuery(slug));
  return null;
}

const Article = ({ article: { title, slug, excerpt, html, seo, ...facts } }: { article: HelpArticle }) => (
  <ArticleView
    documentTitle={documentTitle(seo.title || title)}
    description={seo.description || excerpt}
    title={title}
    excerpt={excerpt}
    html={html}
    above={
      <Link to={paths.help} className={`${linkStyle} justify-self-start px-0!`}>
        {text.back}
      </Link>
    }
    facts={<ArticleFacts {...facts} />}
  >
    <div className="border-line border-t pt-6">
      <VoteForm key={slug} slug={slug} />
    </div>
  </ArticleView>
);

/** A help center article. A former URL of the article redirects to its current one. */
export function HelpArticlePage() {
  const { slug = '' } = useParams();
  const query = useQuery(helpArticleQuery(slug));
  if (hasErrorCode(query.error, 'article_not_found')) return <NotFoundPage />;
  return (
    <QueryView query={query} skeleton={<ArticleSkeleton />}>
      {(article) =>
        article.slug === slug ? <Article article={article} /> : <Navigate to={helpPath(article.slug)} replace />
      }
    </QueryView>
  );
}
