import type { LegalText, LegalVersion } from '@uprez/contracts/schemas/content/site-pages';
import {
  findLegalText as findText,
  type LegalVersionRow,
  listLegalVersions as listRows,
} from '@uprez/db/queries/content/legal-versions';
import type { Needs } from '../../context.ts';
import { isSlug } from '../text/make-slug.ts';
import { ownerHtml } from './owner-html.ts';

/** Returns the versions of a legal text, newest first. */
export const listLegalVersions = async ({ db }: Needs<'db'>, slug: string): Promise<LegalVersion[]> =>
  presentVersions(await listRows(db, slug));

/** Converts versions for display. The newest effective version is in force. */
function presentVersions(rows: readonly LegalVersionRow[]): LegalVersion[] {
  const inForce = rows.find(({ isEffective }) => isEffective)?.number;
  return rows.map(({ number, publishedAt, effectiveAt }) => ({
    number,
    publishedAt: publishedAt.toISOString(),
    effectiveAt: effectiveAt.toISOString(),
    isInForce: number === inForce,
  }));
}

/** Returns the facts about the owner that a legal text ends with. */
export const readOwnerHtml = async ({ settings }: Needs<'settings'>, slug: string): Promise<string> =>
  ownerHtml(await settings.read('site'), slug);

/**
 * Returns a version of a legal text as it was published, followed by the current facts about the owner. `number`: the
 * version number as sent by the client. Undefined if there is none.
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
