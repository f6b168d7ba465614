import type { SitePage } from '@uprez/contracts/schemas/content/site-pages';
import { findPublic } from '@uprez/db/queries/content/public-articles';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';
import { listLegalVersions, readOwnerHtml } from './legal-versions.ts';

/** A public page of the site. Legal pages end with facts about the owner from the settings. Undefined: there is none. */
export async function findSitePage(ctx: Needs<'db' | 'settings'>, slug: string): Promise<SitePage | undefined> {
  const found = isSlug(slug) ? await findPublic(ctx.db, ['page', 'legal'], slug.toLowerCase()) : undefined;
  if (!found) return undefined;
  const { kind, title, excerpt, html, revisedAt, seo } = found;
  const isLegal = kind === 'legal';
  const owner = isLegal ? await readOwnerHtml(ctx, found.slug) : '';
  const versions = isLegal ? await listLegalVersions(ctx, found.slug) : [];
  const updatedAt = revisedAt.toISOString();
  return { title, slug: found.slug, excerpt, html: html + owner, isLegal, versions, updatedAt, seo };
}
