import { type ApiKeyRow, listApiKeys as listRows } from '@uprez/db/queries/api-keys/api-keys';
import type { Needs } from '../context.ts';

/** An API key without its secret. */
export type ApiKey = ApiKeyRow;

/** The keys of an account, the newest first; those that expired, too. */
export const listApiKeys = (ctx: Needs<'db'>, accountId: string): Promise<ApiKeyRow[]> => listRows(ctx.db, accountId);
