import type { NewBatchBody } from '@uprez/contracts/batch';
import { errorCodes } from '@uprez/contracts/error-codes';
import type { Recipe } from '@uprez/contracts/recipe';
import type { Actor } from '@uprez/domain/actor';
import type { NewBatchItem } from '@uprez/domain/batches/create-batch';
import { guessMeter } from '@uprez/domain/batches/item-recipe';
import type { Operator } from '@uprez/domain/jobs/plan-job';
import { largestUpload } from '@uprez/domain/uploads/largest-upload';
import { cleanFilename } from '../http/clean-filename.ts';

type Announced = { body: NewBatchBody; recipe: Recipe; operator: Operator };

/** The files that a caller announces, as items; one that is larger than the plan takes is refused at once. */
export function describeItems(actor: Actor, { body, recipe, operator }: Announced): NewBatchItem[] {
  const meter = guessMeter(recipe, operator);
  return body.items.map(({ clientId, name, relativePath, size }) => {
    const ok = (size ?? 0) <= largestUpload(actor);
    const error = { code: 'file_too_large', detail: errorCodes.file_too_large.title } as const;
    return {
      clientId,
      name: cleanFilename(name),
      relativePath: relativePath.replace(/[\p{Cc}\p{Cs}]/gu, ''),
      size: size ?? null,
      meter,
      ...(ok ? {} : { error }),
    };
  });
}
