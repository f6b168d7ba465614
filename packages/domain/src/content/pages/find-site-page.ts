import type { Position, PositionCard, SitePage } from '@uprez/contracts/schemas/content/site-pages';
import { findLegalText } from '@uprez/db/queries/content/legal-versions';
import { findPublicArticle, listPublicCards, type PublicArticleCard } from '@uprez/db/queries/content/public-articles';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';
import { listLegalVersions, readOwnerHtml } from './legal-versions.ts';

/**
 * Returns a public page of the site. Legal pages end with facts about the owner from the settings. Undefined if there
 * is none.
 */
export async function findSitePage(ctx: Needs<'db' | 'settings'>, slug: string): Promise<SitePage | undefined> {
  const found = isSlug(slug) ? await findPublicArticle(ctx.db, ['page', 'legal'], slug.toLowerCase()) : undefined;
  if (!found) return undefined;
  const { title, slug: current, excerpt, html, revisedAt, seo } = found;
  if (found.kind === 'legal') return await findLegalPage(ctx, { title, slug: current, excerpt, html, revisedAt, seo });
  const updatedAt = revisedAt.toISOString();
  return { title, slug: current, excerpt, html, isLegal: false, versions: [], updatedAt, seo };
}

type Published = Pick<SitePage, 'title' | 'slug' | 'excerpt' | 'html' | 'seo'> & { revisedAt: Date };

/** Returns a legal page with the version in force. The version published last may take effect later. */
async function findLegalPage(ctx: Needs<'db' | 'settings'>, { revisedAt, ...last }: Published): Promise<SitePage> {
  const { slug } = last;
  const [versions, owner] = await Promise.all([listLegalVersions(ctx, slug), readOwnerHtml(ctx, slug)]);
  const number = versions.find(({ isInForce }) => isInForce)?.number;
  const inForce = number === undefined ? undefined : await findLegalText(ctx.db, slug, number);
  const { title, excerpt, seo } = inForce?.fields ?? last;
  const html = (inForce?.html ?? last.html) + owner;
  const updatedAt = (inForce?.publishedAt ?? revisedAt).toISOString();
  return { title, slug, excerpt, html, isLegal: true, versions, updatedAt, seo };
}

/** Maximum number of listed positions. */
const maxPositions = 100;

/** Returns the open positions, in the order that administrators chose. */
export const listPositions = async ({ db }: Needs<'db'>): Promise<PositionCard[]> =>
  (await listPublicCards(db, { kind: 'position', limit: maxPositions })).map(presentCard);

/** Returns the open position that has or had `slug`, with its current slug. Undefined if none is public. */
export async function findPosition({ db }: Needs<'db'>, slug: string): Promise<Position | undefined> {
  const found = isSlug(slug) ? await findPublicArticle(db, ['position'], slug.toLowerCase()) : undefined;
  if (!found) return undefined;
  const { html, publishedAt, revisedAt, seo } = found;
  const times = { publishedAt: publishedAt.toISOString(), updatedAt: revisedAt.toISOString() };
  return { ...presentCard(found), html, ...times, seo };
}

const presentCard = ({ title, slug, excerpt, category }: PublicArticleCard): PositionCard => ({
  title,
  slug,
  excerpt,
  department: category?.name ?? null,
});
