import { AppError } from '@uprez/contracts/errors/app-error';
import { findServiceKeyByHash, type ServiceKeyRow } from '@uprez/db/queries/api-keys/service-keys';
import type { Needs } from '../context.ts';
import { hashKeySecret } from './key-secret.ts';

export type ServiceKey = ServiceKeyRow;

const inactive = {
  detail: 'Unauthorized: this API key is inactive.',
  hint: 'Activate it on the page "API Keys" of the back office, or use another key.',
};

/** The service key of a secret. Throws `bad_api_key`, also for an inactive key. */
export async function getServiceKey(ctx: Needs<'db'>, secret: string): Promise<ServiceKey> {
  const key = await findServiceKeyByHash(ctx.db, hashKeySecret(secret));
  if (!key?.isActive) throw new AppError('bad_api_key', key && inactive);
  return key;
}
