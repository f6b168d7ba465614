import { AppError, formatChargeableMessage } from '@uprez/contracts/errors/app-error';
import { resultFormatOf } from '@uprez/contracts/policy/free-jobs';
import { fileExtensions } from '@uprez/contracts/policy/images/image-formats';
import { limits } from '@uprez/contracts/policy/limits';
import { extractBoolean } from '@uprez/contracts/recipe/parse-recipe';
import type { ManifestRow } from '@uprez/contracts/schemas/jobs/batch';
import { withItemLease } from '@uprez/domain/batches/accept-item';
import { cancelBatch } from '@uprez/domain/batches/cancel-batch';
import {
  type BatchUnits,
  getBatch,
  getBatchItem,
  getUnits,
  type ItemWithJob,
  isSettled,
  itemStatusOf,
} from '@uprez/domain/batches/get-batch';
import { type EntryFacts, nameEntries, parseNaming } from '@uprez/domain/batches/name-entries';
import { openZip, type ZipEntry } from '@uprez/domain/batches/open-zip';
import { pauseBatch } from '@uprez/domain/batches/pause-batch';
import { retryBatch } from '@uprez/domain/batches/retry-batch';
import { jobFactorOf } from '@uprez/domain/events/record-event';
import { acceptBulk, acceptFile } from '@uprez/domain/intake/accept-files';
import { announceBatch } from '@uprez/domain/intake/announce-batch';
import { describeOperator } from '@uprez/domain/intake/describe-engines';
import { requireAdmission } from '@uprez/domain/jobs/admission';
import type { JobWithFiles } from '@uprez/domain/jobs/get-job';
import { reportLimit } from '@uprez/domain/report-limit';
import { waitForBatch } from '@uprez/domain/waiting/wait-for-job';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { makeDisconnectSignal } from '../../http/connections.ts';
import { defineHandlers } from '../../http/contract.ts';
import { respondEarly } from '../../http/register-rejections.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { passInTurns, takeTurn } from '../files/send-object.ts';
import { formatCsv } from '../format-csv.ts';
import { noteIgnoredPreferences, readIdempotencyKey, readWaitSeconds } from '../jobs/request-preferences.ts';
import { receiveFiles, receiveItem, requireUnchangedFile } from './receive-files.ts';

type Call = { adapter: ApiAdapter; request: FastifyRequest; reply: FastifyReply };

/**
 * Handlers that create a batch, either from a description of its files or from a form that contains them. `/v1` accepts
 * both at the same URL.
 */
export const createBatchHandlers = (adapter: ApiAdapter, deps: Deps, closing: AbortSignal) => {
  const bulk = (request: FastifyRequest, reply: FastifyReply) =>
    processFiles(deps, { adapter, request, reply, closing });
  return defineHandlers({
    bulkProcess: bulk,
    createBatch: {
      handler: (request, reply) =>
        request.isMultipart() ? bulk(request, reply) : announceFiles(deps, { adapter, request, reply }),
      bodyLimit: limits.batchBodyBytes,
    },
  });
};

async function announceFiles(deps: Deps, { adapter, request, reply }: Call): Promise<FastifyReply> {
  const actor = await adapter.actorOf(request);
  const idempotencyKey = readIdempotencyKey(request);
  await requireAdmission(deps, { actor, idempotencyKey });
  const body = await adapter.readNewBatch(request);
  const { batch, charged } = await announceBatch(deps, { actor, body, idempotencyKey });
  adapter.setHeaders(reply, { 'x-credits-charged': charged });
  reply.status(201).header('location', `${adapter.prefixOf(request)}/batches/${batch.id}`);
  const found = await getBatch(deps, { actor, id: batch.id });
  // Ignores the `wait` preference, because the files haven't been uploaded yet.
  return reply.send(adapter.presentBatch(request, found, noteIgnoredPreferences(request, { waits: false })));
}

/** Responds with 200 if all items end while the caller waits, and with 202 otherwise. */
async function processFiles(
  deps: Deps,
  { adapter, request, reply, closing }: Call & { closing: AbortSignal },
): Promise<FastifyReply> {
  const actor = await adapter.actorOf(request);
  const idempotencyKey = readIdempotencyKey(request);
  await requireAdmission(deps, { actor, idempotencyKey });
  deps.inspector.requireRoom({ key: actor.accountId, plan: actor.plan });
  const { files, fields } = await receiveFiles(deps, actor, request);
  // Takes the `async` option only in `/v1`. The web app doesn't have this option, so `async` stays an unknown field
  // there.
  const { value: isAsync, rest } =
    adapter.surface === 'api' ? extractBoolean(fields, 'async') : { value: undefined, rest: fields };
  const { batchId, woken, charged } = await acceptBulk(deps, { actor, files, fields: rest, idempotencyKey });
  const seconds = woken ? readWaitSeconds(adapter, reply, { isAsync }) : 0;
  const found = await waitForBatch(deps, { actor, batchId, seconds, signal: makeDisconnectSignal(reply, closing) });
  adapter.setHeaders(reply, { 'x-credits-charged': charged });
  const isDone = found.items.every(isSettled);
  if (!isDone && seconds > 0) reportLimit('wait_time');
  return reply
    .status(isDone ? 200 : 202)
    .header('location', `${adapter.prefixOf(request)}/batches/${batchId}`)
    .send(adapter.presentBulk(request, found, noteIgnoredPreferences(request)));
}

export const webBatchHandlers = ({ actorOf, presentBatch }: ApiAdapter, deps: Deps) =>
  defineHandlers({
    pauseBatch: async (request) => {
      const own = { actor: await actorOf(request), ...request.params };
      await pauseBatch(deps, { ...own, ...request.body });
      return presentBatch(request, await getBatch(deps, own));
    },
  });

export const batchHandlers = (adapter: ApiAdapter, deps: Deps) => {
  const { actorOf } = adapter;
  return defineHandlers({
    getBatch: async (request) => {
      const found = await getBatch(deps, { actor: await actorOf(request), ...request.params });
      return adapter.presentBatch(request, found);
    },
    cancelBatch: async (request) => {
      const own = { actor: await actorOf(request), ...request.params };
      await cancelBatch(deps, own);
      return adapter.presentBatch(request, await getBatch(deps, own));
    },
    retryBatch: async (request, reply) => {
      const own = { actor: await actorOf(request), ...request.params };
      await deps.admission.requireShortWait(own.actor);
      const operator = await describeOperator(deps);
      const { charged } = await retryBatch(deps, { ...own, engine: request.body?.engine, operator });
      await deps.freeWork.keepCaller(own.actor, own.id);
      deps.toFetch.emit('item');
      adapter.setHeaders(reply, { 'x-credits-charged': charged });
      return adapter.presentBatch(request, await getBatch(deps, own));
    },
    putBatchItem: async (request, reply) => {
      const actor = await actorOf(request);
      const { item } = await getBatchItem(deps, { actor, ...request.params });
      await withItemLease(deps, item.id, async () => {
        // Reads the item again, because another request may have uploaded the file while this one was waiting.
        const own = await getBatchItem(deps, { actor, ...request.params });
        if (own.item.status !== 'waiting') return requireUnchangedFile(deps, actor, { own, request });
        deps.inspector.requireRoom({ key: actor.accountId, plan: actor.plan });
        await acceptFile(deps, { actor, own, receive: () => receiveItem(deps, actor, request) });
      });
      respondEarly(request, reply);
      return adapter.presentBatchItem(request, await getBatchItem(deps, { actor, ...request.params }));
    },
  });
};

export const batchFileHandlers = (adapter: ApiAdapter, deps: Deps, closing: AbortSignal) => {
  const { actorOf } = adapter;
  type Query = { name?: string | undefined; items?: string | undefined };
  const readManifest = async (request: FastifyRequest, id: string, { name: pattern, items: wanted }: Query) => {
    const { batch, items } = await getBatch(deps, { actor: await actorOf(request), id });
    const rows = presentManifest(items, {
      units: await getUnits(deps, items),
      pattern,
      isWanted: makeListFilter(wanted),
    });
    return { batch, rows: rows.map(adapter.presentManifestRow) as typeof rows };
  };
  return defineHandlers({
    batchZip: async (request, reply) => {
      const actor = await actorOf(request);
      const { batch, items } = await getBatch(deps, { actor, ...request.params });
      const { name, items: wanted } = request.query;
      const entries = listZipEntries(items, { pattern: name, isWanted: makeListFilter(wanted) });
      setFileHeaders(reply, batch.createdAt, { extension: 'zip', type: 'application/zip' });
      const options = { turns: deps.downloadTurns, accountId: actor.accountId };
      const zip = openZip(deps, {
        entries,
        signal: makeDisconnectSignal(reply, closing),
        takeTurn: () => takeTurn(options),
      });
      return reply.send(passInTurns(zip, options));
    },
    batchManifest: async (request) => (await readManifest(request, request.params.id, request.query)).rows,
    batchManifestCsv: async (request, reply) => {
      const { batch, rows } = await readManifest(request, request.params.id, request.query);
      setFileHeaders(reply, batch.createdAt, { extension: 'csv', type: 'text/csv; charset=utf-8' });
      return reply.send(formatCsv(rows));
    },
  });
};

/** Without a list, all items match. */
function makeListFilter(list: string | undefined): (entry: ItemWithJob) => boolean {
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

/** Throws `invalid_parameter` for an invalid pattern. */
function entryPaths(items: readonly ItemWithJob[], pattern: string | undefined): Map<string, string> {
  const naming = parseNaming(pattern);
  const named = items.flatMap(({ item, found }) =>
    found ? [{ id: item.id, facts: entryFactsOf(found, item.position, item.relativePath) }] : [],
  );
  const paths = nameEntries(
    named.map(({ facts }) => facts),
    naming,
  );
  return new Map(named.map(({ id }, index) => [id, paths[index] ?? '']));
}

function entryFactsOf({ job }: JobWithFiles, position: number, relativePath: string): EntryFacts {
  const { width, height } = job.plan.output;
  return {
    name: job.filename.replace(/\.[A-Za-z0-9]{1,5}$/, '') || 'image',
    factor: jobFactorOf(job),
    width,
    height,
    index: position + 1,
    ext: fileExtensions[resultFormatOf(job)],
    relativePath,
    filename: job.filename,
  };
}

/** The name of an item doesn't depend on the selection. */
type Selection = { pattern: string | undefined; isWanted: (entry: ItemWithJob) => boolean };

/**
 * Lists the available results of a batch as ZIP entries. If none are available, throws `result_expired` if results have
 * been deleted, and `job_not_finished` otherwise.
 */
function listZipEntries(items: readonly ItemWithJob[], { pattern, isWanted }: Selection): ZipEntry[] {
  const paths = entryPaths(items, pattern);
  const entries = items.filter(isWanted).flatMap(({ item, found }) => {
    const path = paths.get(item.id);
    if (!found?.result || !path) return [];
    return [{ path, object: found.result, modifiedAt: found.job.finishedAt ?? found.job.updatedAt }];
  });
  if (entries.length > 0) return entries;
  const isOver = items.some((entry) => itemStatusOf(entry) === 'expired');
  throw new AppError(isOver ? 'result_expired' : 'job_not_finished', {
    detail: isOver
      ? 'The results of this batch have been deleted.'
      : 'No images of this batch are finished yet. Try again later.',
  });
}

function presentManifest(
  items: readonly ItemWithJob[],
  { units, pattern, isWanted }: Selection & { units: BatchUnits },
): ManifestRow[] {
  const paths = entryPaths(items, pattern);
  return items
    .filter(isWanted)
    .map((entry) => presentRow(entry, paths.get(entry.item.id), units.get(entry.item.id) ?? 0));
}

function presentRow(entry: ItemWithJob, path: string | undefined, units: number): ManifestRow {
  const { item, found } = entry;
  const { job } = found ?? {};
  const { source } = job?.plan ?? {};
  const isDelivered = job?.receipt != null;
  const own = item.status === 'taken' ? job : item;
  return {
    item: item.id,
    clientId: item.clientId,
    job: item.jobId,
    name: item.name,
    path: (isDelivered && path) || null,
    status: itemStatusOf(entry),
    sourceWidth: source?.width ?? null,
    sourceHeight: source?.height ?? null,
    sourceBytes: job?.sourceBytes ?? item.sizeBytes,
    width: job?.receipt?.width ?? null,
    height: job?.receipt?.height ?? null,
    bytes: job?.receipt?.sizeBytes ?? null,
    sha256: job?.receipt?.sha256 ?? null,
    engine: job?.receipt?.engine ?? job?.plan.engine ?? null,
    units,
    error: own?.errorCode ?? null,
    message: own?.errorCode ? formatChargeableMessage({ code: own.errorCode, message: own.errorDetail }) : null,
  };
}
