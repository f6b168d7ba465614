import { AppError } from '@uprez/contracts/errors/app-error';
import { findServiceKeyByHash, type ServiceKeyRow } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';
import { hashKeySecret } from './key-secret.ts';

export type ServiceKey = ServiceKeyRow;

const inactive = {
  detail: 'Unauthorized: this API key is inactive.',
  hint: 'Activate it on the page "API Keys" of the back office, or use another key.',
};

/** The service key of a secret. Throws `bad_api_key`. */
export async function getServiceKey(ctx: Needs<'db'>, secret: string): Promise<ServiceKey> {
  const key = await findServiceKeyByHash(ctx.db, hashKeySecret(secret));
  if (!key) throw new AppError('bad_api_key');
  return key;
}

/** Throws `bad_api_key` for an inactive key. */
export function requireActive({ isActive }: ServiceKey): void {
  if (!isActive) throw new AppError('bad_api_key', inactive);
}
