import { AppError } from '@uprez/contracts/errors/app-error';
import { deleteApiKey as deleteRow } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';
import { isUuid } from '../jobs/is-uuid.ts';
import type { OwnKey } from './get-api-key.ts';

/** Delete a key and what it was counted for; jobs that were made with it stay. Throws `api_key_not_found`. */
export async function deleteApiKey(ctx: Needs<'db'>, { accountId, id }: OwnKey): Promise<void> {
  if (!isUuid(id) || !(await deleteRow(ctx.db, accountId, id))) throw new AppError('api_key_not_found');
}
