import { AppError } from '@uprez/contracts/errors/app-error';
import { articleLimits } from '@uprez/contracts/policy/articles';
import { listShownMedia } from '@uprez/contracts/policy/images/media';
import { termsSlug } from '@uprez/contracts/texts/site/pages';
import type { Tx } from '@uprez/db/database';
import type { ArticleRow } from '@uprez/db/queries/content/articles';
import { insertLegalVersion, isDayWithin } from '@uprez/db/queries/content/legal-versions';
import { insertLegalMedia } from '@uprez/db/queries/content/media-uses';
import { now, startOf } from '@uprez/db/times';
import type { RenderedText } from '../text/render-text.ts';

/**
 * How a legal text is published. `effectiveOn`: the day (UTC) on which it takes effect; immediately by default.
 * `mustAccept`: whether users who accepted an earlier version must accept this version, too.
 */
export type LegalOptions = { effectiveOn?: string | undefined; mustAccept?: boolean | undefined };

/**
 * Throws `invalid_parameter` if the article can't have one of the options, or if the day is in the past or too far
 * ahead.
 */
export async function requireLegalOptions(
  tx: Tx,
  { kind, slug }: Pick<ArticleRow, 'kind' | 'slug'>,
  { effectiveOn, mustAccept = false }: LegalOptions = {},
): Promise<void> {
  if (kind !== 'legal' && effectiveOn !== undefined)
    throw makeParameterError('effectiveOn', 'Only legal texts have an effective date.');
  if (mustAccept && slug !== termsSlug)
    throw makeParameterError('mustAccept', 'Only the terms of service are accepted by users.');
  if (effectiveOn === undefined || (await isDayWithin(tx, effectiveOn, articleLimits.effectiveDays))) return;
  throw makeParameterError(
    'effectiveOn',
    `Choose today (UTC) or a day within the next ${articleLimits.effectiveDays} days.`,
  );
}

const makeParameterError = (param: string, detail: string) => new AppError('invalid_parameter', { param, detail });

type Publication = LegalOptions & {
  article: Pick<ArticleRow, 'id'>;
  revision: number;
  rendered: Pick<RenderedText, 'html'>;
};

/** Adds a published text as the next version of a legal article. Returns the fields for the audit log. */
export async function addLegalVersion(
  tx: Tx,
  { article, revision, rendered, effectiveOn, mustAccept = false }: Publication,
) {
  const effectiveAt = effectiveOn === undefined ? now : startOf(effectiveOn);
  const row = { articleId: article.id, revision, html: rendered.html, effectiveAt, mustAccept };
  const version = await insertLegalVersion(tx, row);
  await insertLegalMedia(tx, { articleId: article.id, number: version }, listShownMedia(rendered.html));
  return { version, effectiveOn: effectiveOn ?? null, mustAccept };
}
