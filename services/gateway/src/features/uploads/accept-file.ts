import { AppError } from '@uprez/contracts/errors/app-error';
import type { Actor } from '@uprez/domain/actor';
import { failItem, isFileFault } from '@uprez/domain/batches/fail-item';
import type { OwnItem } from '@uprez/domain/batches/get-batch';
import { itemRecipe } from '@uprez/domain/batches/item-recipe';
import { abandonUpload } from '@uprez/domain/uploads/begin-upload';
import type { Deps } from '../../deps.ts';
import { acceptNamed } from '../batches/accept-named.ts';
import { describeOperator } from '../estimates/describe-engines.ts';
import { planUpload } from './plan-upload.ts';
import type { Upload } from './receive-upload.ts';

/**
 * Receive the file of a batch's item and make a job of it, unless the item waits no more. What is wrong with the file
 * fails the item and is thrown; after anything else it may be sent again.
 */
export async function acceptFile(
  deps: Deps,
  actor: Actor,
  { own, receive }: { own: OwnItem; receive: () => Promise<Upload> },
): Promise<void> {
  try {
    await makeJob(deps, actor, { own, upload: await receive() });
  } catch (error) {
    if (error instanceof AppError && isFileFault(error))
      await failItem(deps, { actor, batchId: own.batch.id, itemId: own.item.id, error });
    throw error;
  }
}

async function makeJob(deps: Deps, actor: Actor, { own, upload }: { own: OwnItem; upload: Upload }): Promise<void> {
  const { batch, item } = own;
  try {
    const recipe = itemRecipe(batch, item);
    const operator = await describeOperator(deps);
    const planned = await planUpload(deps, actor, { upload, recipe, operator, keepsAlpha: batch.keepsAlpha });
    const file = { itemId: item.id, filename: item.name, ...planned };
    if (!(await acceptNamed(deps, actor, file))) await abandonUpload(deps, upload);
  } catch (error) {
    await abandonUpload(deps, upload);
    throw error;
  }
}
