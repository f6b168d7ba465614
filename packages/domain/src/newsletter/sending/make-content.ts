import type { CampaignContent } from '@uprez/contracts/schemas/mails';
import { incidentPath, postPath } from '@uprez/contracts/texts/site/pages';
import { incidentStateNames } from '@uprez/contracts/texts/status';
import type { DbOrTx } from '@uprez/db/database';
import { type CampaignRow, findCampaignArticle, findCampaignUpdate } from '@uprez/db/queries/newsletter/campaigns';
import { fillPlaceholders } from '@uprez/markup/placeholders';

/** Without trailing slashes, for appending paths. */
export const siteOf = (publicUrl: string) => publicUrl.replace(/\/+$/, '');

/**
 * Creates the content that is the same for all recipients of a campaign. Returns undefined if the campaign's post isn't
 * public or its incident update was deleted.
 */
export async function makeCampaignContent(
  db: DbOrTx,
  { kind, subject, html, textMd, articleId, incidentUpdateId }: CampaignRow,
  publicUrl: string,
): Promise<CampaignContent | undefined> {
  const site = siteOf(publicUrl);
  if (kind === 'written')
    return {
      subject,
      topic: 'news',
      lines: [],
      body: { html: toMailHtml(html, site), text: toMailText(textMd, site) },
    };
  if (kind === 'article') {
    const article = articleId === null ? undefined : await findCampaignArticle(db, articleId);
    if (!article?.isPublished || article.slug === null) return undefined;
    const { title, excerpt, slug } = article;
    const action = { label: 'Read the post', url: site + postPath(slug) };
    return { subject, topic: 'news', lines: [title, ...(excerpt ? [excerpt] : [])], action };
  }
  const update = incidentUpdateId === null ? undefined : await findCampaignUpdate(db, incidentUpdateId);
  if (!update) return undefined;
  const lines = [`${update.title}: ${incidentStateNames[update.state].toLowerCase()}`, ...linesOf(update.text)];
  return { subject, topic: 'status', lines, action: { label: 'View status', url: site + incidentPath(update.id) } };
}

const linesOf = (text: string) => text.trim().split(/\s*\n\s*/);

const schemePattern = /^[a-z][a-z\d+.-]*:/i;

/**
 * Makes a URL absolute, because emails have no page that relative URLs could resolve against. `site`: the public URL
 * without a trailing slash.
 */
function toAbsoluteUrl(url: string, site: string): string {
  if (schemePattern.test(url)) return url;
  return url.startsWith('//') ? new URL(site).protocol + url : `${site}/${url.replace(/^\//, '')}`;
}

/**
 * Makes the links in rendered HTML absolute. Relies on the renderer to escape `<` in text and quotes in attributes.
 * Links to headings stay as they are.
 */
export const toMailHtml = (html: string, site: string): string =>
  html.replaceAll(/(?<=<a href=")[^"#][^"]*/g, (url) => toAbsoluteUrl(url, site));

/** Makes the links in Markdown absolute and fills in the placeholders. */
export const toMailText = (text: string, site: string): string =>
  fillPlaceholders(text).replaceAll(/(?<=\]\(<?|^ {0,3}\[[^\]\n]+\]: *<?)\/[^\s)>]*/gm, (url) =>
    toAbsoluteUrl(url, site),
  );
