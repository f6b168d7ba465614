import type { Campaign } from '@uprez/contracts/schemas/newsletter/campaigns';
import { incidentPath } from '@uprez/contracts/texts/pages';
import { Link } from 'react-router';
import { ArticleHtml } from '../../../ui/article/article-html.tsx';
import { buttonStyle } from '../../../ui/controls/button.tsx';
import { Notice } from '../../../ui/feedback/notice.tsx';
import { Card } from '../../../ui/layout/card.tsx';
import { postPath } from '../frame/post-path.ts';
import { campaignMessages } from './messages.ts';

const text = campaignMessages.preview;
const linkStyle = buttonStyle({ look: 'secondary', className: 'justify-self-start' });

/** `article`: null after it was deleted. */
function ArticlePreview({ article }: Pick<Campaign, 'article'>) {
  if (!article) return <Notice kind="warning">{text.deleted}</Notice>;
  return (
    <>
      {!article.isPublished && <Notice kind="warning">{text.hidden}</Notice>}
      <div className="grid gap-1">
        <p className="font-medium wrap-anywhere">{article.title}</p>
        {article.excerpt && <p className="text-muted text-sm wrap-anywhere">{article.excerpt}</p>}
      </div>
      <p className="text-muted text-xs">{text.readMore}</p>
      <Link to={postPath(article.id)} className={linkStyle}>
        {text.openPost}
      </Link>
    </>
  );
}

/** What recipients read. */
export const CampaignPreview = ({ campaign: { kind, html, article, incident } }: { campaign: Campaign }) => (
  <Card title={text.title}>
    {kind === 'article' && <ArticlePreview article={article} />}
    {kind === 'written' && <ArticleHtml html={html} />}
    {kind === 'incident' && !incident && <p className="text-muted text-sm">{text.incidentDeleted}</p>}
    {incident && (
      <Link to={incidentPath(incident.id)} className={linkStyle}>
        {text.incident}
      </Link>
    )}
  </Card>
);
