import type { EventEmitter } from 'node:events';
import { makeFileTooLargeError } from '@uprez/contracts/errors/app-error';
import { type Fields, findField, parseRecipe } from '@uprez/contracts/recipe/parse-recipe';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { NewBatchBody } from '@uprez/contracts/schemas/jobs/batch';
import { v1Defaults } from '@uprez/contracts/v1/fields';
import { type Actor, surfaceOf } from '../actor.ts';
import { type CreatedBatch, createBatch, type NewBatchItem } from '../batches/create-batch.ts';
import { guessMeter } from '../batches/get-batch.ts';
import type { Needs } from '../context.ts';
import type { FreeWorkContext } from '../jobs/admission.ts';
import type { Operator } from '../jobs/pipeline/make-job-pipeline.ts';
import { checkImageUrl, maxUploadBytesOf } from '../uploads/begin-upload.ts';
import { cleanFilename, decodeName } from './clean-filename.ts';
import { describeOperator, type OperatorContext } from './describe-engines.ts';

/** Emits `item` when batches have images to fetch. */
export type FetchSignal = { toFetch: EventEmitter<{ item: [] }> };
type NewBatch = { actor: Actor; body: NewBatchBody; idempotencyKey: string | undefined };

/** Creates a batch whose files are uploaded or fetched later. Throws the errors of `createBatch` and `parseRecipe`. */
export async function announceBatch(
  ctx: Needs<'db' | 'vault'> & OperatorContext & FetchSignal & FreeWorkContext,
  { actor, body, idempotencyKey }: NewBatch,
): Promise<CreatedBatch> {
  const fields = Object.entries(body.recipe).map(([name, value]) => [name, String(value)] as const);
  const { recipe, keepsAlpha } = readBatchRecipe(actor, fields);
  const items = describeItems(actor, { body, recipe, operator: await describeOperator(ctx) });
  const { acceptPartial } = body;
  const created = await createBatch(ctx, { actor, recipe, items, acceptPartial, keepsAlpha, idempotencyKey });
  if (items.some(({ imageUrl }) => imageUrl !== undefined)) {
    await ctx.freeWork.keepCaller(actor, created.batch.id);
    ctx.toFetch.emit('item');
  }
  return created;
}

/**
 * Returns the recipe for all items. API requests get the API's defaults. `keepsAlpha`: whether a `/v1` request has no
 * format, so the format may be adjusted to keep an image's transparency.
 */
export function readBatchRecipe(actor: Actor, fields: Fields): { recipe: Recipe; keepsAlpha: boolean } {
  const isApi = surfaceOf(actor) === 'api';
  return {
    recipe: parseRecipe(fields, isApi ? v1Defaults : {}),
    keepsAlpha: isApi && !fields.some(([name]) => findField(name) === 'format'),
  };
}

type DescribedBatch = Pick<NewBatch, 'body'> & { recipe: Recipe; operator: Operator };

/**
 * Converts a request's items. Items above the plan's size limit are created as failed. Throws `url_not_allowed` if a
 * URL may never be fetched.
 */
function describeItems(actor: Actor, { body, recipe, operator }: DescribedBatch): NewBatchItem[] {
  const meter = guessMeter(recipe, operator);
  const limit = maxUploadBytesOf(actor);
  const [urlField, targetField] =
    surfaceOf(actor) === 'api' ? (['image_url', 'target_url'] as const) : (['imageUrl', 'targetUrl'] as const);
  return body.items.map(({ clientId, name, relativePath, size, imageUrl, targetUrl }, at) => {
    if (targetUrl !== undefined) checkImageUrl(targetUrl, `items.${at}.${targetField}`);
    const urlName = imageUrl === undefined ? '' : checkImageUrl(imageUrl, `items.${at}.${urlField}`);
    const isTooLarge = (size ?? 0) > limit;
    return {
      clientId,
      name: cleanFilename(name ?? decodeName(urlName)),
      relativePath: relativePath.replace(/[\p{Cc}\p{Cs}]/gu, ''),
      size: size ?? null,
      imageUrl: imageUrl?.trim(),
      targetUrl: targetUrl?.trim(),
      meter,
      ...(isTooLarge && { error: { code: 'file_too_large' as const, detail: makeFileTooLargeError(limit).message } }),
    };
  });
}
