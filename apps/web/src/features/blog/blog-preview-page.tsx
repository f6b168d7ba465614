import { useQuery } from '@tanstack/react-query';
import { useParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { formatDateTime } from '../../lib/format/format.ts';
import { documentTitle } from '../../messages.ts';
import { ArticleSkeleton, ArticleView } from '../../ui/article/article-view.tsx';
import { NotFoundPage } from '../../ui/feedback/not-found-page.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { blogMessages } from './messages.ts';
import { ReadingTime } from './post-facts.tsx';
import { previewQuery } from './queries.ts';

const text = blogMessages.preview;

/** A draft, shown to anyone who has its preview link. */
export function BlogPreviewPage() {
  const { token = '' } = useParams();
  const query = useQuery(previewQuery(token));
  if (hasErrorCode(query.error, 'article_not_found')) return <NotFoundPage />;
  return (
    <QueryView query={query} skeleton={<ArticleSkeleton />}>
      {({ title, excerpt, html, image, readingMinutes, expiresAt }) => (
        <ArticleView
          documentTitle={documentTitle(text.title)}
          title={title || blogMessages.untitled}
          excerpt={excerpt}
          html={html}
          image={image}
          above={<Notice kind="warning">{text.text(formatDateTime(expiresAt))}</Notice>}
          facts={
            <p className="text-muted text-sm">
              <ReadingTime minutes={readingMinutes} />
            </p>
          }
        />
      )}
    </QueryView>
  );
}
