import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { makePostmanCollection } from '@uprez/contracts/docs/openapi/make-postman-collection';
import type { serviceRoutes, v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import { resultFormatOf } from '@uprez/contracts/policy/free-jobs';
import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { keyScopes } from '@uprez/contracts/schemas/api-keys';
import type { Actor } from '@uprez/domain/actor';
import { getStats } from '@uprez/domain/admin/list-users';
import { listBatches } from '@uprez/domain/batches/get-batch';
import { getImage, type SentImage } from '@uprez/domain/image-urls/get-image';
import { type ImageReads, makeImageNotReadyError, openImageReads } from '@uprez/domain/image-urls/image-state';
import type { ImageSlots } from '@uprez/domain/image-urls/make-image';
import type { Upload } from '@uprez/domain/intake/prepare-upload';
import type { FetchInput } from '@uprez/domain/uploads/begin-upload';
import { readQuota } from '@uprez/domain/usage/read-quota';
import type { FastifyReply, FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import type { ApiAdapter } from '../features/api-adapter.ts';
import { type FileResponse, rememberObjects, sendObject } from '../features/files/send-object.ts';
import { resultName } from '../features/jobs/present-job.ts';
import { readWaitSeconds } from '../features/jobs/request-preferences.ts';
import { sharedHandlers } from '../features/register-routes.ts';
import { fetchImage } from '../features/uploads/receive-image.ts';
import { makeDisconnectSignal } from '../http/connections.ts';
import { type AnyHandler, defineHandlers } from '../http/contract.ts';
import { absoluteUrl } from '../http/public-links.ts';
import { lookUpSecret } from '../http/request-callers.ts';
import { documentHandler } from '../http/web/send-text.ts';
import { readKeyCalls, requireKey, requireKeyActor } from './keyed-api.ts';
import { isSandboxPath, v1Prefix } from './paths.ts';
import { presentV1BatchSummary } from './presenters.ts';

/** What service keys with the scope `admin:read` can read. */
const serviceRole: Role = 'viewer';

type HandlerContext = { adapter: ApiAdapter; closing: AbortSignal };

/**
 * Returns the handlers of all endpoints of `/v1`. A missing handler is a compile error. `closing` aborts fetches,
 * waits, and streams when the gateway stops.
 */
export function v1Handlers(app: App, deps: Deps, { adapter, closing }: HandlerContext): Record<V1Name, AnyHandler> {
  const { bulkProcess: _, ...shared } = sharedHandlers(adapter, deps, closing);
  const { processImage, createBatch, getJob, listEngines, signedFile, downloadImage, ...same } = shared;
  return {
    ...(renameKeys(same) as V1NamedHandlers<typeof same>),
    v1Process: processImage,
    v1Resize: processImage,
    v1CreateBatch: createBatch,
    v1Bulk: createBatch,
    v1GetJob: getJob,
    v1JobStatus: getJob,
    v1Engines: listEngines,
    v1File: signedFile,
    v1JobResult: downloadImage,
    ...v1OnlyHandlers(deps),
    ...imageHandlers(app, deps, closing),
  };
}

const v1OnlyHandlers = (deps: Deps) => {
  const type = 'application/json';
  const makeDocument = () => makeOpenApi(absoluteUrl(deps.config, ''));
  return defineHandlers({
    v1Account: async (request) => {
      const key = requireKey(request);
      const { id, name, kind, monthlyCap, unitsThisMonth, tier } = key;
      const { meters: quota } = await readQuota(deps, { actor: { accountId: key.accountId } });
      return {
        plan: { key: tier, name: planOf(key).name },
        callsPerMinute: await readKeyCalls(deps, key),
        hardStop: planOf(key).hardStop,
        quota,
        key: {
          ...{ id, name, kind, monthlyCap, unitsThisMonth },
          scopes: keyScopes.filter((scope) => key.scopes.includes(scope)),
          expiresAt: key.expiresAt?.toISOString() ?? null,
        },
      };
    },
    v1ListBatches: async (request) => {
      const found = await listBatches(deps, { actor: requireKeyActor(request), ...request.query });
      const data = found.batches.map((batch) => presentV1BatchSummary(deps.config, batch, v1Prefix(request)));
      return { data, nextCursor: found.nextCursor };
    },
    v1AdminStats: async () => getStats(deps, serviceRole),
    v1OpenApi: documentHandler({ type, make: () => JSON.stringify(makeDocument()) }),
    v1Postman: documentHandler({ type, make: () => JSON.stringify(makePostmanCollection(makeDocument())) }),
  });
};

/** Only small images, because pages request these repeatedly. */
const memoryLimits = { totalBytes: 64 * 1024 * 1024, objectBytes: 1024 * 1024 };

const setHeaders: ApiAdapter['setHeaders'] = (reply, headers) => reply.headers(headers);

const imageHandlers = (app: App, deps: Deps, closing: AbortSignal) => {
  const imageSlots = openImageSlots();
  app.addHook('onClose', () => imageSlots.close());
  const ctx = { ...deps, imageReads: openImageReads(deps), imageSlots, fetchImage: makeFetcher(deps) };
  const files = { storage: rememberObjects(deps.storage, memoryLimits), downloadTurns: deps.downloadTurns };
  return defineHandlers({
    v1Image: async (request, reply) => {
      // The sandbox is free of charge, but image URLs aren't.
      if (isSandboxPath(request)) throw new AppError('not_found');
      const { signature, processing: options, source } = request.params;
      const signal = makeDisconnectSignal(reply as FastifyReply, closing);
      const seconds = readWaitSeconds({ setHeaders }, reply as FastifyReply);
      const path = { signature, options, source };
      const accept = request.headers.accept ?? '';
      const imageReads = { ...ctx.imageReads, account: makeAccountFinder(ctx.imageReads, request as FastifyRequest) };
      const image = await getImage({ ...ctx, imageReads }, { path, accept, seconds, signal, closing });
      // Any page may show the image, and read its pixels, so the response doesn't depend on the origin.
      reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
      if (image.varies) reply.header('vary', 'Accept');
      else reply.removeHeader('vary');
      return sendObject(files, { request, reply: reply as FastifyReply }, describeFile(image));
    },
  });
};

/**
 * Finds the account that a key ID in an image URL belongs to. That account doesn't become the caller, because anyone
 * who sees the URL can use the ID.
 */
const makeAccountFinder =
  (reads: ImageReads, request: FastifyRequest): ImageReads['account'] =>
  (keyId) => {
    const find = async () => {
      const account = await reads.account(keyId);
      if (!account) throw new AppError('image_url_invalid');
      return account;
    };
    return lookUpSecret(request, { sort: 'image URL', secret: keyId, find });
  };

const describeFile = ({ object, accountId, job, maxAgeS }: SentImage): FileResponse => ({
  object,
  accountId,
  mimeType: mimeTypes[resultFormatOf(job)],
  filename: resultName(job),
  disposition: 'inline',
  publicFor: maxAgeS,
});

/** Throws if the job queue or the inspections have no room. */
const makeFetcher =
  (deps: Deps) =>
  async (actor: Actor, wanted: FetchInput): Promise<Upload> => {
    await deps.admission.requireShortWait(actor);
    deps.inspector.requireRoom({ key: actor.accountId, plan: actor.plan });
    return fetchImage(deps, actor, wanted);
  };

const maxImages = imageUrlRules.fetchSlots + imageUrlRules.fetchQueue;

/**
 * Limits how many images are created concurrently for each account, and how many can wait. Throws `image_not_ready` if
 * too many are waiting, or if an image waited longer than clients do. `close` waits for the images in progress.
 */
function openImageSlots(): ImageSlots & { close: () => Promise<void> } {
  const enter = makeSemaphore(imageUrlRules.fetchSlots);
  const accounts = new Map<string, Map<string, Promise<void>>>();
  return {
    run: ({ accountId, hash }, task) => {
      const images = accounts.get(accountId) ?? new Map<string, Promise<void>>();
      const running = images.get(hash);
      if (running) return running;
      if (images.size >= maxImages) return Promise.reject(makeImageNotReadyError());
      const latestMs = performance.now() + imageUrlRules.queueSeconds * 1_000;
      const made = enter(accountId, async () => {
        if (performance.now() > latestMs) throw makeImageNotReadyError();
        await task();
      }).finally(() => {
        images.delete(hash);
        if (images.size === 0) accounts.delete(accountId);
      });
      // Avoids an unhandled rejection: all clients may have disconnected before the task fails.
      made.catch(() => undefined);
      accounts.set(accountId, images.set(hash, made));
      return made;
    },
    close: async () => {
      await Promise.allSettled([...accounts.values()].flatMap((images) => [...images.values()]));
    },
  };
}

/** Runs at most `concurrency` tasks per key at a time, in order. Calls `onWait` when a task has to wait. */
export function makeSemaphore(concurrency: number, onWait?: () => void) {
  const queues = new Map<string, PQueue>();
  return <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? new PQueue({ concurrency }).on('idle', () => queues.delete(key));
    queues.set(key, queue);
    if (queue.pending >= concurrency) onWait?.();
    return queue.add(task);
  };
}

export type V1Name = keyof typeof v1Routes | keyof typeof serviceRoutes;

type V1NamedHandlers<Shared> = { [Name in keyof Shared & string as `v1${Capitalize<Name>}`]: Shared[Name] };

const renameKeys = (shared: object) =>
  Object.fromEntries(
    Object.entries(shared).map(([name, handler]) => [`v1${name.charAt(0).toUpperCase()}${name.slice(1)}`, handler]),
  );
