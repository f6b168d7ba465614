import { useQuery } from '@tanstack/react-query';
import { positionPath } from '@uprez/contracts/texts/site/pages';
import { Link, type LoaderFunctionArgs, Navigate, useParams } from 'react-router';
import { hasErrorCode } from '../../lib/api/api-errors.ts';
import { queryClient } from '../../lib/api/query-client.ts';
import { documentTitle } from '../../messages.ts';
import { paths } from '../../site-map.ts';
import { ArticleSkeleton, ArticleView } from '../../ui/article/article-view.tsx';
import { linkStyle } from '../../ui/controls/button.tsx';
import { NotFoundPage } from '../../ui/feedback/not-found-page.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { ContactForm } from '../contact/contact-form.tsx';
import { contactMessages } from '../contact/messages.ts';
import { useAuth } from '../session/auth-provider.tsx';
import { MailLink } from './mail-link.tsx';
import { sitePageMessages } from './messages.ts';
import { positionQuery } from './queries.ts';

const text = sitePageMessages.careers;

/** Prefetches the position that the URL names. The page shows errors. */
export async function loadPosition({ params: { slug = '' } }: LoaderFunctionArgs): Promise<null> {
  await queryClient.prefetchQuery(positionQuery(slug));
  return null;
}

/** A former URL redirects to the current URL. */
export function PositionPage() {
  const { slug = '' } = useParams();
  const { user } = useAuth();
  const query = useQuery(positionQuery(slug));
  if (hasErrorCode(query.error, 'article_not_found')) return <NotFoundPage />;
  const back = (
    <Link to={paths.careers} className={`${linkStyle} justify-self-start px-0!`}>
      {text.back}
    </Link>
  );
  return (
    <QueryView query={query} skeleton={<ArticleSkeleton />}>
      {({ title, excerpt, department, html, seo, slug: current }) =>
        current === slug ? (
          <ArticleView
            documentTitle={documentTitle(seo.title || title)}
            description={seo.description || excerpt}
            title={title}
            excerpt={[department, excerpt].filter(Boolean).join(' · ')}
            html={html}
            above={back}
          >
            <Card title={contactMessages.application.title} className="sm:p-7">
              <ContactForm key={user?.id} user={user} position={{ slug: current, title }} />
            </Card>
            <MailLink label={text.apply} subject={text.subject(title)} />
          </ArticleView>
        ) : (
          <Navigate to={positionPath(current)} replace />
        )
      }
    </QueryView>
  );
}
