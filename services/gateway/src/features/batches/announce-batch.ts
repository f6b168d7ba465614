import type { NewBatchBody } from '@uprez/contracts/schemas/batch';
import type { Actor } from '@uprez/domain/actor';
import { type CreatedBatch, createBatch } from '@uprez/domain/batches/create-batch';
import type { Deps } from '../../deps.ts';
import { describeOperator } from '../estimates/describe-engines.ts';
import { describeItems } from './describe-items.ts';
import { readBatchRecipe } from './read-batch-recipe.ts';

type Announced = { body: NewBatchBody; idempotencyKey: string | undefined };

/** Make a batch of files that are to come. Throws what `createBatch` and `parseRecipe` do. */
export async function announceBatch(
  deps: Deps,
  actor: Actor,
  { body, idempotencyKey }: Announced,
): Promise<CreatedBatch> {
  const fields = Object.entries(body.recipe).map(([name, value]) => [name, String(value)] as const);
  const { recipe, keepsAlpha } = readBatchRecipe(actor, fields);
  const items = describeItems(actor, { body, recipe, operator: await describeOperator(deps) });
  const { acceptPartial } = body;
  const created = await createBatch(deps, { actor, recipe, items, acceptPartial, keepsAlpha, idempotencyKey });
  if (items.some(({ imageUrl }) => imageUrl !== undefined)) deps.toFetch.emit('item');
  return created;
}
