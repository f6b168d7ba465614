import { Readable } from 'node:stream';
import { attachmentTypes } from '@uprez/contracts/policy/admin/tickets';
import { resultFormatOf } from '@uprez/contracts/policy/free-jobs';
import { fileExtensions } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import {
  type AccountTaskRow,
  claimAccountTask,
  finishAccountTask,
  lockAccountTask,
  postponeAccountTask,
  settleAccountTasks,
} from '@uprez/db/queries/accounts/account-tasks';
import {
  findOwnImageUrls,
  findOwnProfile,
  findOwnSubscriber,
  listOwnApiKeys,
  listOwnAudits,
  listOwnBatches,
  listOwnBatchItems,
  listOwnBills,
  listOwnDevices,
  listOwnLedger,
  listOwnMails,
  listOwnPasskeys,
  listOwnSessions,
  listOwnSubscriptions,
  listOwnTicketFiles,
  listOwnTickets,
  listOwnViews,
  listOwnWebhooks,
} from '@uprez/db/queries/accounts/own-data';
import { type JobRow, listJobs } from '@uprez/db/queries/jobs/jobs';
import { ensureObjects, markObjectForDeletion, markObjectStored } from '@uprez/db/queries/jobs/objects';
import { listRejectedImages } from '@uprez/db/queries/jobs/rejected-images';
import { objectKeys } from '@uprez/storage/object-keys';
import type { StoredObject } from '@uprez/storage/storage';
import { makeZip } from 'client-zip';
import { uuidv7 } from 'uuidv7';
import type { Needs } from '../../context.ts';
import { attachJobFiles, type JobWithFiles, openStoredObject } from '../../jobs/get-job.ts';
import { queueMail } from '../../mails/queue-mail.ts';

const attempts = 5;
const leaseS = 900;
const retryS = 60;
const dayS = 86_400;

type Stores = Needs<'db' | 'storage' | 'settings' | 'log'>;

/** Runs the waiting account tasks. Returns the number of exports created. Several processes can run this at once. */
export async function makeExports(ctx: Stores): Promise<number> {
  const failed = await settleAccountTasks(ctx.db, attempts);
  if (failed > 0) ctx.log.error({ count: failed }, 'exports failed permanently');
  for (let made = 0; ; ) {
    const task = await claimAccountTask(ctx.db, { leaseS, attempts });
    if (!task) return made;
    if (await runExport(ctx, task)) made += 1;
  }
}

/** Returns false if the attempt failed or another one has started. */
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

/** Returns undefined if another attempt has started. */
function beginExport(ctx: Needs<'db'>, task: AccountTaskRow): Promise<{ id: string; key: string } | undefined> {
  const key = objectKeys.export(task.id, task.attempts);
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockAccountTask(tx, task))) return undefined;
    const ids = await ensureObjects(tx, [{ id: uuidv7(), accountId: task.userId, kind: 'export', key }]);
    return { id: ids.get(key) ?? '', key };
  });
}

async function writeExport(ctx: Stores, task: AccountTaskRow, key: string): Promise<StoredObject> {
  const zip = Readable.fromWeb(makeZip(stampFiles(ctx, task)) as Parameters<typeof Readable.fromWeb>[0]);
  try {
    return await ctx.storage.put(key, zip, { contentType: 'application/zip' });
  } finally {
    zip.destroy();
  }
}

/** Renews the lease after each file. Throws if another attempt has started. */
async function* stampFiles(ctx: Stores, task: AccountTaskRow): AsyncGenerator<ExportedFile & { lastModified: Date }> {
  const lastModified = new Date();
  for await (const file of exportFiles(ctx, task.userId)) {
    yield { ...file, lastModified };
    if (!(await postponeAccountTask(ctx.db, task, { afterS: leaseS }))) throw new Error('another attempt has started');
  }
}

/** Returns false if another attempt has started or the account was deleted. */
function finishExport(ctx: Needs<'db'>, task: AccountTaskRow, stored: StoredObject & { id: string }): Promise<boolean> {
  return ctx.db.transaction().execute(async (tx) => {
    if (!(await lockAccountTask(tx, task))) return false;
    if (!(await markObjectStored(tx, stored))) return false;
    const lifeS = limits.exportDays * dayS;
    const expiresAt = await finishAccountTask(tx, { id: task.id, objectId: stored.id, lifeS });
    await queueMail(tx, task.userId, { mail: 'export_ready', expiresAt: expiresAt.toISOString() });
    return true;
  });
}

type ExportedFile = { name: string; input: string | AsyncIterable<string | Buffer> };

const pageSize = 100;
/** Exceeds the number of rejected images that an account can have, which is 200 per day for 90 days. */
const maxRejectedImages = 20_000;
const formatJson = (value: unknown) => `${JSON.stringify(value, null, 2)}\n`;

/**
 * Yields the files of an export, which contain no secrets. Reads each file only when it's needed, because an account's
 * files may not fit in memory.
 */
export async function* exportFiles(
  ctx: Needs<'db' | 'storage' | 'settings'>,
  userId: string,
): AsyncGenerator<ExportedFile> {
  const { siteName } = await ctx.settings.read('site');
  yield { name: 'README.txt', input: makeReadme(siteName) };
  yield { name: 'profile.json', input: formatJson(await findOwnProfile(ctx.db, userId)) };
  const [sessions, devices] = [await listOwnSessions(ctx.db, userId), await listOwnDevices(ctx.db, userId)];
  const supportViews = await listOwnViews(ctx.db, userId);
  yield { name: 'sessions.json', input: formatJson({ sessions, devices, supportViews }) };
  yield { name: 'passkeys.json', input: formatJson(await listOwnPasskeys(ctx.db, userId)) };
  yield { name: 'keys.json', input: formatJson(await listOwnApiKeys(ctx.db, userId)) };
  yield { name: 'webhooks.json', input: formatJson(await listOwnWebhooks(ctx.db, userId)) };
  yield { name: 'image_urls.json', input: formatJson((await findOwnImageUrls(ctx.db, userId)) ?? null) };
  yield { name: 'jobs.json', input: streamJsonArray(presentJobs(ctx, userId)) };
  yield { name: 'rejected_images.json', input: formatJson(await presentRejectedImages(ctx, userId)) };
  yield { name: 'batches.json', input: streamJsonArray(readBatches(ctx, userId)) };
  yield { name: 'ledger.json', input: streamJsonArray(readLedger(ctx, userId)) };
  const [subscriptions, bills] = [await listOwnSubscriptions(ctx.db, userId), await listOwnBills(ctx.db, userId)];
  yield { name: 'billing.json', input: formatJson({ subscriptions, bills }) };
  yield { name: 'mails.json', input: formatJson(await listOwnMails(ctx.db, userId)) };
  yield { name: 'messages.json', input: formatJson(await listOwnTickets(ctx.db, userId)) };
  yield { name: 'newsletter.json', input: formatJson((await findOwnSubscriber(ctx.db, userId)) ?? null) };
  yield { name: 'audit.json', input: formatJson(await listOwnAudits(ctx.db, userId)) };
  for await (const { job, result } of readJobs(ctx, userId)) {
    const input = result && (await openStoredObject(ctx, result));
    if (!input) continue;
    try {
      yield { name: toImageName(job), input };
    } finally {
      // The archive may end before the stream.
      input.destroy();
    }
  }
  yield* readAttachments(ctx, userId);
}

async function* readAttachments(ctx: Needs<'db' | 'storage'>, userId: string): AsyncGenerator<ExportedFile> {
  const extensions = Object.entries(attachmentTypes);
  for (const { id, number, mimeType, ...object } of await listOwnTicketFiles(ctx.db, userId)) {
    const input = await openStoredObject(ctx, object);
    if (!input) continue;
    const extension = extensions.find(([, type]) => type === mimeType)?.[0] ?? 'bin';
    try {
      yield { name: `attachments/${number}-${id}.${extension}`, input };
    } finally {
      input.destroy();
    }
  }
}

/** By job ID, because users' file names would have to be sanitized and made unique. */
const toImageName = (job: JobRow) => `images/${job.id}.${fileExtensions[resultFormatOf(job)]}`;

async function* readJobs(ctx: Needs<'db'>, userId: string): AsyncGenerator<JobWithFiles> {
  for (let before: string | undefined; ; ) {
    const page = await listJobs(ctx.db, { accountId: userId, kind: 'image', before, limit: pageSize });
    yield* await attachJobFiles(ctx.db, page);
    before = page.at(-1)?.id;
    if (!before) return;
  }
}

async function* presentJobs(ctx: Needs<'db'>, userId: string): AsyncGenerator<object> {
  for await (const { job, result } of readJobs(ctx, userId))
    yield {
      id: job.id,
      filename: job.filename,
      status: job.status,
      sizeBytes: job.sourceBytes,
      image: result ? toImageName(job) : null,
      settings: job.recipe,
      plan: job.plan,
      receipt: job.receipt,
      error: job.errorCode,
      createdAt: job.createdAt,
      startedAt: job.startedAt,
      finishedAt: job.finishedAt,
      expiresAt: job.expiresAt,
      deletedAt: job.deletedAt,
    };
}

async function presentRejectedImages({ db }: Needs<'db'>, userId: string): Promise<object[]> {
  const rows = await listRejectedImages(db, userId, maxRejectedImages);
  return rows.map(({ filename, errorCode, errorDetail, createdAt }) => ({
    filename,
    error: errorCode,
    reason: errorDetail,
    createdAt,
  }));
}

async function* readBatches(ctx: Needs<'db'>, userId: string): AsyncGenerator<object> {
  for (let after: string | undefined; ; ) {
    const page: Awaited<ReturnType<typeof listOwnBatches>> = await listOwnBatches(ctx.db, userId, after);
    for (const batch of page) yield { ...batch, files: await listOwnBatchItems(ctx.db, batch.id) };
    after = page.at(-1)?.id;
    if (!after) return;
  }
}

async function* readLedger(ctx: Needs<'db'>, userId: string): AsyncGenerator<object> {
  for (let after: number | undefined = 0; after !== undefined; ) {
    const page: Awaited<ReturnType<typeof listOwnLedger>> = await listOwnLedger(ctx.db, userId, after);
    yield* page;
    after = page.at(-1)?.id;
  }
}

async function* streamJsonArray(rows: AsyncIterable<unknown>): AsyncGenerator<string> {
  let separator = '[\n';
  for await (const row of rows) {
    yield `${separator}${JSON.stringify(row, null, 2)}`;
    separator = ',\n';
  }
  yield separator === '[\n' ? '[]\n' : '\n]\n';
}

const makeReadme = (siteName: string): string => `Your ${siteName} data

This archive contains the data of your account at the time of the export. All times are in UTC. Files that end in .json
are plain text and open in any text editor or browser.

profile.json   Your profile: name, email address, email settings, plan, sign-up date, accepted terms, and two-factor
               authentication.
sessions.json  Your active sessions and known devices, with their IP addresses, and when support viewed your account.
passkeys.json  Your passkeys: names, and when they were added and last used.
keys.json      Your API keys: names, limits, and usage. Their secrets are not stored.
webhooks.json  Your webhook endpoints.
image_urls.json Your settings of image URLs.
jobs.json      Every image you processed: file name, options, result, and time. "image" is the name of the result in
               this archive, if it was still stored.
rejected_images.json Images that were not accepted in the last 90 days: file name, reason, and time.
batches.json   Your batches: files, options, and results.
ledger.json    Every credit that was reserved, used, or refunded, and why.
billing.json   Your subscriptions and bills. Amounts are in cents. Card numbers are not stored, except for the last 4 digits.
mails.json     The emails we sent you, and when.
messages.json  The messages you sent with the contact form while signed in, and our replies.
newsletter.json The emails that you subscribed to: topics, state, and times.
audit.json     Changes that administrators made to your account, and why.
attachments/   The files you attached to these messages. Their names begin with the number of the message.
images/        The results that were still stored. Uploads are deleted after processing, and results when they expire.

For security reasons, your password, authenticator secret, and recovery codes are not included.
`;
