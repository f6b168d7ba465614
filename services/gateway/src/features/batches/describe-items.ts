import { fileTooLarge } from '@uprez/contracts/errors/file-too-large';
import type { Recipe } from '@uprez/contracts/recipe/recipe';
import type { NewBatchBody } from '@uprez/contracts/schemas/batch';
import { type Actor, surfaceOf } from '@uprez/domain/actor';
import type { NewBatchItem } from '@uprez/domain/batches/create-batch';
import { guessMeter } from '@uprez/domain/batches/item-recipe';
import type { Operator } from '@uprez/domain/jobs/planning/plan-job';
import { checkImageUrl } from '@uprez/domain/uploads/check-image-url';
import { largestUpload } from '@uprez/domain/uploads/largest-upload';
import { cleanFilename } from '../uploads/clean-filename.ts';
import { decoded } from '../uploads/name-of-file.ts';

type Announced = { body: NewBatchBody; recipe: Recipe; operator: Operator };

const spell = (actor: Actor) => (surfaceOf(actor) === 'api' ? 'image_url' : 'imageUrl');

/**
 * The files that a caller announces, as items; one that is larger than the plan takes is refused at once. Throws
 * `url_not_allowed` for an address that is never fetched.
 */
export function describeItems(actor: Actor, { body, recipe, operator }: Announced): NewBatchItem[] {
  const meter = guessMeter(recipe, operator);
  const limit = largestUpload(actor);
  return body.items.map(({ clientId, name, relativePath, size, imageUrl }, at) => {
    const end = imageUrl === undefined ? '' : checkImageUrl(imageUrl, `items.${at}.${spell(actor)}`);
    const isTooLarge = (size ?? 0) > limit;
    return {
      clientId,
      name: cleanFilename(name ?? decoded(end)),
      relativePath: relativePath.replace(/[\p{Cc}\p{Cs}]/gu, ''),
      size: size ?? null,
      imageUrl: imageUrl?.trim(),
      meter,
      ...(isTooLarge && { error: { code: 'file_too_large' as const, detail: fileTooLarge(limit).message } }),
    };
  });
}
