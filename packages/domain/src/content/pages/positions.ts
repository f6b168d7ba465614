import type { Position, PositionCard } from '@uprez/contracts/schemas/content/site-pages';
import { findPublic, listPublicCards, type PublicArticleCard } from '@uprez/db/queries/content/public-articles';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';

/** Positions on the page. */
const shown = 100;

/** The open positions, in the order that administrators chose. */
export const listPositions = async ({ db }: Needs<'db'>): Promise<PositionCard[]> =>
  (await listPublicCards(db, { kind: 'position', limit: shown })).map(presentCard);

/** The open position with a slug, or that had it: its present slug differs then. Undefined: none is public there. */
export async function findPosition({ db }: Needs<'db'>, slug: string): Promise<Position | undefined> {
  const found = isSlug(slug) ? await findPublic(db, ['position'], slug.toLowerCase()) : undefined;
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
