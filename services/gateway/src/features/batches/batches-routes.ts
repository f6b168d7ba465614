import { limits } from '@uprez/contracts/policy/limits';
import { takeSwitch } from '@uprez/contracts/recipe/parse-recipe';
import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import { getBatch, getBatchItem, getUnits, type ItemWithJob, isSettled } from '@uprez/domain/batches/get-batch';
import { holdItem } from '@uprez/domain/batches/hold-item';
import { openZip } from '@uprez/domain/batches/open-zip';
import { pauseBatch } from '@uprez/domain/batches/pause-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import { acceptBulk } from '@uprez/domain/intake/accept-bulk';
import { acceptFile } from '@uprez/domain/intake/accept-file';
import { announceBatch } from '@uprez/domain/intake/announce-batch';
import { describeOperator } from '@uprez/domain/intake/describe-engines';
import { requireAdmission } from '@uprez/domain/jobs/admission/require-admission';
import { reportLimit } from '@uprez/domain/report-limit';
import { waitForBatch } from '@uprez/domain/waiting/wait-for-job';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { answerEarly } from '../../http/answer-early.ts';
import { untilGone } from '../../http/closing-signal.ts';
import type { Dialect } from '../dialect.ts';
import { passInTurns, takeTurn } from '../files/pass-in-turns.ts';
import { formatCsv } from '../format-csv.ts';
import { notePreferences, readIdempotencyKey, readWaitSeconds } from '../jobs/wait-time.ts';
import { receiveFiles } from '../uploads/receive-files.ts';
import { listZipEntries, presentManifest } from './present-manifest.ts';
import { compareItem, receiveItem } from './receive-item.ts';

type Call = { dialect: Dialect; request: FastifyRequest; reply: FastifyReply };

/** Creating a batch from a description of its files, or from a form with all of them. `/v1` accepts both at one URL. */
export function registerCreateBatchRoutes(dialect: Dialect, deps: Deps, closing: AbortSignal): void {
  const bulk = (request: FastifyRequest, reply: FastifyReply) =>
    processFiles(deps, { dialect, request, reply, closing });
  dialect.route('bulkProcess', bulk);
  dialect.route(
    'createBatch',
    (request, reply) =>
      request.isMultipart() ? bulk(request, reply) : announceFiles(deps, { dialect, request, reply }),
    { bodyLimit: limits.batchBodyBytes },
  );
}

async function announceFiles(deps: Deps, { dialect, request, reply }: Call): Promise<FastifyReply> {
  const actor = await dialect.actorOf(request);
  const idempotencyKey = readIdempotencyKey(request);
  await requireAdmission(deps, { actor, idempotencyKey });
  const body = await dialect.readNewBatch(request);
  const { batch, charged } = await announceBatch(deps, { actor, body, idempotencyKey });
  dialect.tell(reply, { 'x-credits-charged': charged });
  reply.status(201).header('location', `${dialect.prefixOf(request)}/batches/${batch.id}`);
  const found = await getBatch(deps, { actor, id: batch.id });
  // Without files, there is nothing to wait for.
  return reply.send(dialect.presentBatch(request, found, notePreferences(request, { waits: false })));
}

/** 200 if all items end while the caller waits, else 202. */
async function processFiles(
  deps: Deps,
  { dialect, request, reply, closing }: Call & { closing: AbortSignal },
): Promise<FastifyReply> {
  const actor = await dialect.actorOf(request);
  const idempotencyKey = readIdempotencyKey(request);
  await requireAdmission(deps, { actor, idempotencyKey });
  deps.inspector.requireRoom({ key: actor.accountId, plan: actor.plan });
  const { files, fields } = await receiveFiles(deps, actor, request);
  // The web app has no `async`, so it stays an unknown field.
  const { value: isAsync, rest } =
    dialect.surface === 'api' ? takeSwitch(fields, 'async') : { value: undefined, rest: fields };
  const { batchId, woken, charged } = await acceptBulk(deps, { actor, files, fields: rest, idempotencyKey });
  const seconds = woken ? readWaitSeconds(dialect, reply, { isAsync }) : 0;
  const found = await waitForBatch(deps, { actor, batchId, seconds, signal: untilGone(reply, closing) });
  dialect.tell(reply, { 'x-credits-charged': charged });
  const isDone = found.items.every(isSettled);
  if (!isDone && seconds > 0) reportLimit('wait_time');
  return reply
    .status(isDone ? 200 : 202)
    .header('location', `${dialect.prefixOf(request)}/batches/${batchId}`)
    .send(dialect.presentBulk(request, found, notePreferences(request)));
}

/** What only the web app does with batches: pause and resume them. */
export function registerWebBatchRoutes({ route, actorOf, presentBatch }: Dialect, deps: Deps): void {
  route('pauseBatch', async (request) => {
    const own = { actor: await actorOf(request), ...request.params };
    await pauseBatch(deps, { ...own, ...request.body });
    return presentBatch(request, await getBatch(deps, own));
  });
}

/** Batches, once they are created. */
export function registerBatchRoutes(dialect: Dialect, deps: Deps): void {
  const { route, actorOf } = dialect;
  route('getBatch', async (request) => {
    const found = await getBatch(deps, { actor: await actorOf(request), ...request.params });
    return dialect.presentBatch(request, found);
  });
  route('cancelBatch', async (request) => {
    const own = { actor: await actorOf(request), ...request.params };
    await cancelBatch(deps, own);
    return dialect.presentBatch(request, await getBatch(deps, own));
  });
  route('retryBatch', async (request, reply) => {
    const own = { actor: await actorOf(request), ...request.params };
    await deps.admission.requireShortWait(own.actor);
    const operator = await describeOperator(deps);
    const { charged } = await retryBatch(deps, { ...own, engine: request.body?.engine, operator });
    await deps.freeWork.keepCaller(own.actor, own.id);
    deps.toFetch.emit('item');
    dialect.tell(reply, { 'x-credits-charged': charged });
    return dialect.presentBatch(request, await getBatch(deps, own));
  });
  route('putBatchItem', async (request, reply) => {
    const actor = await actorOf(request);
    const { item } = await getBatchItem(deps, { actor, ...request.params });
    await holdItem(deps, item.id, async () => {
      // Another request may have brought the file before this one had the item.
      const own = await getBatchItem(deps, { actor, ...request.params });
      if (own.item.status !== 'waiting') return compareItem(deps, actor, { own, request });
      deps.inspector.requireRoom({ key: actor.accountId, plan: actor.plan });
      await acceptFile(deps, { actor, own, receive: () => receiveItem(deps, actor, request) });
    });
    answerEarly(request, reply);
    return dialect.presentBatchItem(request, await getBatchItem(deps, { actor, ...request.params }));
  });
}

/** The results of a batch as a ZIP archive, and its manifest. */
export function registerBatchFileRoutes(dialect: Dialect, deps: Deps, closing: AbortSignal): void {
  const { route, actorOf } = dialect;
  route('batchZip', async (request, reply) => {
    const actor = await actorOf(request);
    const { batch, items } = await getBatch(deps, { actor, ...request.params });
    const { name, items: wanted } = request.query;
    const entries = listZipEntries(items, { pattern: name, isWanted: isListed(wanted) });
    setFileHeaders(reply, batch.createdAt, { extension: 'zip', type: 'application/zip' });
    const options = { turns: deps.downloadTurns, accountId: actor.accountId };
    const zip = openZip(deps, { entries, signal: untilGone(reply, closing), takeTurn: () => takeTurn(options) });
    return reply.send(passInTurns(zip, options));
  });
  type Query = { name?: string | undefined; items?: string | undefined };
  const readManifest = async (request: FastifyRequest, id: string, { name: pattern, items: wanted }: Query) => {
    const { batch, items } = await getBatch(deps, { actor: await actorOf(request), id });
    const rows = presentManifest(items, { units: await getUnits(deps, items), pattern, isWanted: isListed(wanted) });
    return { batch, rows: rows.map(dialect.presentManifestRow) as typeof rows };
  };
  route('batchManifest', async (request) => (await readManifest(request, request.params.id, request.query)).rows);
  route('batchManifestCsv', async (request, reply) => {
    const { batch, rows } = await readManifest(request, request.params.id, request.query);
    setFileHeaders(reply, batch.createdAt, { extension: 'csv', type: 'text/csv; charset=utf-8' });
    return reply.send(formatCsv(rows));
  });
}

/** Whether an item is in a list of IDs. Without a list, all are. */
function isListed(list: string | undefined): (entry: ItemWithJob) => boolean {
  if (list === undefined) return () => true;
  const ids = new Set(list.toLowerCase().split(','));
  return ({ item }) => ids.has(item.id);
}

function setFileHeaders(reply: FastifyReply, createdAt: Date, file: { extension: string; type: string }): void {
  reply.headers({
    'content-type': file.type,
    'content-disposition': contentDisposition(`batch-${createdAt.toISOString().slice(0, 10)}.${file.extension}`),
    'cache-control': 'no-store',
  });
}
