import type {
  LegalText,
  LegalVersion,
  Position,
  PositionCard,
  SitePage,
} from '@uprez/contracts/schemas/content/site-pages';
import {
  findLegalText as findText,
  type LegalVersionRow,
  listLegalVersions as listRows,
} from '@uprez/db/queries/content/legal-versions';
import { findPublicArticle, listPublicCards, type PublicArticleCard } from '@uprez/db/queries/content/public-articles';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';
import { renderOwnerHtml } from './render-owner-html.ts';

/**
 * Returns a public page of the site. Legal pages end with the owner's details from the settings. Undefined if no public
 * page matches.
 */
export async function findSitePage(ctx: Needs<'db' | 'settings'>, slug: string): Promise<SitePage | undefined> {
  const found = isSlug(slug) ? await findPublicArticle(ctx.db, ['page', 'legal'], slug.toLowerCase()) : undefined;
  if (!found) return undefined;
  const { title, slug: current, excerpt, html, revisedAt, seo } = found;
  if (found.kind === 'legal') return await findLegalPage(ctx, { title, slug: current, excerpt, html, revisedAt, seo });
  const updatedAt = revisedAt.toISOString();
  return { title, slug: current, excerpt, html, isLegal: false, versions: [], updatedAt, seo };
}

type PublishedPage = Pick<SitePage, 'title' | 'slug' | 'excerpt' | 'html' | 'seo'> & { revisedAt: Date };

/**
 * Returns a legal page with the text of the version in force, because the most recently published version may only take
 * effect later.
 */
async function findLegalPage(ctx: Needs<'db' | 'settings'>, { revisedAt, ...last }: PublishedPage): Promise<SitePage> {
  const { slug } = last;
  const [versions, owner] = await Promise.all([listLegalVersions(ctx, slug), readOwnerHtml(ctx, slug)]);
  const number = versions.find(({ isInForce }) => isInForce)?.number;
  const inForce = number === undefined ? undefined : await findText(ctx.db, slug, number);
  const { title, excerpt, seo } = inForce?.fields ?? last;
  const html = (inForce?.html ?? last.html) + owner;
  const updatedAt = (inForce?.publishedAt ?? revisedAt).toISOString();
  return { title, slug, excerpt, html, isLegal: true, versions, updatedAt, seo };
}

const maxPositions = 100;

/** Returns the open positions, in the order set by administrators. */
export const listPositions = async ({ db }: Needs<'db'>): Promise<PositionCard[]> =>
  (await listPublicCards(db, { kind: 'position', limit: maxPositions })).map(presentCard);

/** Returns the open position that has or had `slug`, with its current slug. Undefined if no open position matches. */
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

const listLegalVersions = async ({ db }: Needs<'db'>, slug: string): Promise<LegalVersion[]> =>
  presentVersions(await listRows(db, slug));

function presentVersions(rows: readonly LegalVersionRow[]): LegalVersion[] {
  const inForce = rows.find(({ isEffective }) => isEffective)?.number;
  return rows.map(({ number, publishedAt, effectiveAt }) => ({
    number,
    publishedAt: publishedAt.toISOString(),
    effectiveAt: effectiveAt.toISOString(),
    isInForce: number === inForce,
  }));
}

const readOwnerHtml = async ({ settings }: Needs<'settings'>, slug: string): Promise<string> =>
  renderOwnerHtml(await settings.read('site'), slug);

/**
 * Returns a version of a legal text as it was published, followed by the owner's current details. `number`: the version
 * number as sent by the client. Undefined if the version doesn't exist.
 */
export async function findLegalText(
  ctx: Needs<'db' | 'settings'>,
  { slug: given, number }: { slug: string; number: string },
): Promise<LegalText | undefined> {
  const slug = given.toLowerCase();
  if (!isSlug(slug) || !/^[1-9]\d{0,8}$/.test(number)) return undefined;
  const versions = await listLegalVersions(ctx, slug);
  const version = versions.find((one) => one.number === Number(number));
  const text = version && (await findText(ctx.db, slug, version.number));
  if (!text) return undefined;
  return {
    ...{ slug, version, versions },
    title: text.fields.title,
    html: text.html + (await readOwnerHtml(ctx, slug)),
  };
}
