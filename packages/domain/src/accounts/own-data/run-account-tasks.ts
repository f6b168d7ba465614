import { Readable } from 'node:stream';
import { limits } from '@uprez/contracts/policy/limits';
import {
  type AccountTaskRow,
  claimAccountTask,
  finishAccountTask,
  lockAccountTask,
  postponeAccountTask,
  settleAccountTasks,
} from '@uprez/db/queries/accounts/account-tasks';
import { ensureObjects, markObjectForDeletion, markStored } from '@uprez/db/queries/jobs/objects';
import { objectKeys } from '@uprez/storage/object-keys';
import type { StoredObject } from '@uprez/storage/storage';
import { makeZip } from 'client-zip';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { queueMail } from '../../mails/queue-mail.ts';
import { type ExportedFile, exportFiles } from './export-files.ts';

/** Maximum number of attempts at an export. */
const attempts = 5;
/** Renewed with every file of an export. */
const leaseS = 900;
const retryS = 60;
const dayS = 86_400;

type Stores = Needs<'db' | 'storage' | 'settings' | 'log'>;

/** Run the waiting account tasks; returns how many exports were created. Safe to run in several processes. */
export async function runAccountTasks(ctx: Stores): Promise<number> {
  const failed = await settleAccountTasks(ctx.db, attempts);
  if (failed > 0) ctx.log.error({ count: failed }, 'exports failed permanently');
  for (let made = 0; ; ) {
    const task = await claimAccountTask(ctx.db, { leaseS, attempts });
    if (!task) return made;
    if (await runExport(ctx, task)) made += 1;
  }
}

/** Run one attempt at an export. False when it failed, or when another attempt has started. */
async function runExport(ctx: Stores, task: AccountTaskRow): Promise<boolean> {
  const object = await beginExport(ctx, task);
  if (!object) return false;
  try {
    const stored = await writeExport(ctx, task, object.key);
    if (await finishExport(ctx, task, { ...stored, id: object.id })) return true;
  } catch (error) {
    ctx.log.warn({ err: error, taskId: task.id, attempt: task.attempts }, 'export failed, will retry');
    await postponeAccountTask(ctx.db, task, { status: 'waiting', afterS: retryS });
  }
  await markObjectForDeletion(ctx.db, object.id);
  return false;
}

/** Insert the object that an attempt writes. Undefined when another attempt has started. */
function beginExport(ctx: Needs<'db'>, task: AccountTaskRow): Promise<{ id: string; key: string } | undefined> {
  const key = objectKeys.export(task.id, task.attempts);
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockAccountTask(tx, task))) return undefined;
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

/** The files with their time. The lease is renewed after each file. Throws when another attempt has started. */
async function* stamped(ctx: Stores, task: AccountTaskRow): AsyncGenerator<ExportedFile & { lastModified: Date }> {
  const lastModified = new Date();
  for await (const file of exportFiles(ctx, task.userId)) {
    yield { ...file, lastModified };
    if (!(await postponeAccountTask(ctx.db, task, { afterS: leaseS }))) throw new Error('another attempt has started');
  }
}

/** False when another attempt has started or the account was deleted. */
function finishExport(ctx: Needs<'db'>, task: AccountTaskRow, stored: StoredObject & { id: string }): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockAccountTask(tx, task))) return false;
    if (!(await markStored(tx, stored))) return false;
    const lifeS = limits.exportDays * dayS;
    const expiresAt = await finishAccountTask(tx, { id: task.id, objectId: stored.id, lifeS });
    await queueMail(tx, task.userId, { mail: 'export_ready', expiresAt: expiresAt.toISOString() });
    return true;
  });
}
