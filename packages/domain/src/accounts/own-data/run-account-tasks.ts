import { Readable } from 'node:stream';
import { limits } from '@uprez/contracts/policy/limits';
import {
  type AccountTaskRow,
  claimAccountTask,
  finishAccountTask,
  holdAccountTask,
  postponeAccountTask,
  settleAccountTasks,
} from '@uprez/db/queries/accounts/account-tasks';
import { ensureObjects, giveUpObject, markStored } from '@uprez/db/queries/jobs/objects';
import { objectKeys } from '@uprez/storage/object-keys';
import type { StoredObject } from '@uprez/storage/storage';
import { makeZip } from 'client-zip';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { type ExportedFile, exportFiles } from './export-files.ts';

/** An export that is tried this often has failed for good. */
const attempts = 5;
/** Renewed with every file of an export. */
const leaseS = 900;
const retryS = 60;
const dayS = 86_400;

type Stores = Needs<'db' | 'storage' | 'settings' | 'log'>;

/** Do what waits to be done for accounts, until nothing does. Answers how many exports were made. Safe to repeat and to run anywhere. */
export async function runAccountTasks(ctx: Stores): Promise<number> {
  const failed = await settleAccountTasks(ctx.db, attempts);
  if (failed > 0) ctx.log.error({ count: failed }, 'exports have failed for good');
  for (let made = 0; ; ) {
    const task = await claimAccountTask(ctx.db, { leaseS, attempts });
    if (!task) return made;
    if (await runExport(ctx, task)) made += 1;
  }
}

/** One attempt at an export. False: it failed and will be tried again, or is another attempt's by now. */
async function runExport(ctx: Stores, task: AccountTaskRow): Promise<boolean> {
  const object = await beginExport(ctx, task);
  if (!object) return false;
  try {
    const stored = await writeExport(ctx, task, object.key);
    if (await finishExport(ctx, task, { ...stored, id: object.id })) return true;
  } catch (error) {
    ctx.log.warn({ err: error, taskId: task.id, attempt: task.attempts }, 'an export could not be made');
    await postponeAccountTask(ctx.db, task, { status: 'waiting', afterS: retryS });
  }
  await giveUpObject(ctx.db, object.id);
  return false;
}

/** Note the object that an attempt is about to write. Undefined: the task is no longer this attempt's. */
function beginExport(ctx: Needs<'db'>, task: AccountTaskRow): Promise<{ id: string; key: string } | undefined> {
  const key = objectKeys.export(task.id, task.attempts);
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await holdAccountTask(tx, task))) return undefined;
    const ids = await ensureObjects(tx, [{ id: uuidv7(), accountId: task.userId, kind: 'export', key }]);
    return { id: ids.get(key) ?? '', key };
  });
}

async function writeExport(ctx: Stores, task: AccountTaskRow, key: string): Promise<StoredObject> {
  const zip = Readable.fromWeb(makeZip(stamped(ctx, task)) as Parameters<typeof Readable.fromWeb>[0]);
  try {
    return await ctx.storage.put(key, zip, { contentType: 'application/zip' });
  } finally {
    zip.destroy();
  }
}

/** The files with their time. Each renews the lease once it is written; an attempt that has lost it stops. */
async function* stamped(ctx: Stores, task: AccountTaskRow): AsyncGenerator<ExportedFile & { lastModified: Date }> {
  const lastModified = new Date();
  for await (const file of exportFiles(ctx, task.userId)) {
    yield { ...file, lastModified };
    if (!(await postponeAccountTask(ctx.db, task, { afterS: leaseS }))) throw new Error('Another attempt has begun.');
  }
}

/** False: the task is no longer this attempt's, or its account was deleted. */
function finishExport(ctx: Needs<'db'>, task: AccountTaskRow, stored: StoredObject & { id: string }): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await holdAccountTask(tx, task))) return false;
    if (!(await markStored(tx, { id: stored.id, size: stored.sizeBytes, sha256: stored.sha256 }))) return false;
    const lifeS = limits.exportDays * dayS;
    const expiresAt = await finishAccountTask(tx, { id: task.id, objectId: stored.id, lifeS });
    await queueMail(tx, task.userId, { mail: 'export_ready', expiresAt: expiresAt.toISOString() });
    return true;
  });
}
