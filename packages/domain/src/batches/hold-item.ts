import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { endItemUpload, renewItemUpload, takeItemUpload } from '@uprez/db/queries/jobs/items-to-fetch';
import type { Needs } from '../context.ts';

const leaseS = limits.itemUploadSeconds;

/**
 * Receives the file of a batch item under a lease, so that no other request on any gateway receives it at the same
 * time. The lease ends when `receive` does, or expires after a gateway crash. Throws `item_upload_running`.
 */
export async function holdItem<T>(ctx: Needs<'db' | 'log'>, itemId: string, receive: () => Promise<T>): Promise<T> {
  const taken = await takeItemUpload(ctx.db, itemId, leaseS);
  if (!taken) throw new AppError('item_upload_running');
  const warn = (error: unknown) => ctx.log.warn({ err: error, itemId }, 'the upload of a batch item is not renewed');
  let until: Date = taken;
  let renewing: Promise<void> = Promise.resolve();
  const renew = async () => {
    until = (await renewItemUpload(ctx.db, { itemId, until, leaseS })) ?? until;
  };
  const timer = setInterval(() => {
    renewing = renew().catch(warn);
  }, leaseS * 300);
  try {
    return await receive();
  } finally {
    clearInterval(timer);
    await renewing;
    await endItemUpload(ctx.db, { itemId, until }).catch(warn);
  }
}
