import { AppError } from '@uprez/contracts/errors/app-error';
import { resultFormatOf } from '@uprez/contracts/policy/free-jobs';
import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { imageUrlRules } from '@uprez/contracts/policy/images/image-urls';
import type { Actor } from '@uprez/domain/actor';
import { getImage, type SentImage } from '@uprez/domain/image-urls/get-image';
import { type ImageReads, makeImageNotReadyError, openImageReads } from '@uprez/domain/image-urls/image-state';
import type { ImageSlots } from '@uprez/domain/image-urls/make-image';
import type { Upload } from '@uprez/domain/intake/prepare-upload';
import type { FetchInput } from '@uprez/domain/uploads/begin-upload';
import type { FastifyReply, FastifyRequest } from 'fastify';
import PQueue from 'p-queue';
import type { App } from '../../app-type.ts';
import type { Deps } from '../../deps.ts';
import { makeDisconnectSignal } from '../../http/connections.ts';
import { defineHandlers } from '../../http/contract.ts';
import { lookUpSecret } from '../../http/request-callers.ts';
import { isSandboxPath } from '../../v1/paths.ts';
import type { ApiAdapter } from '../api-adapter.ts';
import { type FileResponse, rememberObjects, sendObject } from '../files/send-object.ts';
import { resultName } from '../jobs/present-job.ts';
import { readWaitSeconds } from '../jobs/request-preferences.ts';
import { fetchImage } from '../uploads/receive-image.ts';

/** Only small images, because pages request these repeatedly. */
const memoryLimits = { totalBytes: 64 * 1024 * 1024, objectBytes: 1024 * 1024 };

const setHeaders: ApiAdapter['setHeaders'] = (reply, headers) => reply.headers(headers);

/** Handler of image URLs, which creates an image on its first request. `closing` aborts fetches and waits. */
export const imageHandlers = (app: App, deps: Deps, closing: AbortSignal) => {
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

/** Runs at most `concurrency` tasks per key at a time, in order. */
export function makeSemaphore(concurrency: number) {
  const queues = new Map<string, PQueue>();
  return <T>(key: string, task: () => Promise<T>): Promise<T> => {
    const queue = queues.get(key) ?? new PQueue({ concurrency }).on('idle', () => queues.delete(key));
    queues.set(key, queue);
    return queue.add(task);
  };
}
