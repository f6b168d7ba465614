import { makeOpenApi } from '@uprez/contracts/docs/openapi/make-open-api';
import { makePostman } from '@uprez/contracts/docs/openapi/make-postman';
import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { serviceRoutes, v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { Role } from '@uprez/contracts/policy/admin/permissions';
import { resultFormat } from '@uprez/contracts/policy/free-jobs';
import { mimeTypes } from '@uprez/contracts/policy/images/image-formats';
import { imageUrls } from '@uprez/contracts/policy/images/image-urls';
import { planOf } from '@uprez/contracts/policy/plans/plan-versions';
import { keyScopes } from '@uprez/contracts/schemas/api-keys';
import type { Actor } from '@uprez/domain/actor';
import { getStats } from '@uprez/domain/admin/list-users';
import { listBatches } from '@uprez/domain/batches/get-batch';
import { getImage, type SentImage } from '@uprez/domain/image-urls/get-image';
import { imageNotReady } from '@uprez/domain/image-urls/image-state';
import type { ImageSlots } from '@uprez/domain/image-urls/make-image';
import { type ImageReads, openImageReads } from '@uprez/domain/image-urls/open-image-reads';
import type { Upload } from '@uprez/domain/intake/plan-upload';
import type { Wanted } from '@uprez/domain/uploads/begin-upload';
import { readQuota } from '@uprez/domain/usage/read-quota';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import type { ApiAdapter } from '../features/api-adapter.ts';
import { rememberObjects, type Sent, sendObject } from '../features/files/send-object.ts';
import { resultName } from '../features/jobs/present-job.ts';
import { readWaitSeconds } from '../features/jobs/wait-time.ts';
import { makeSemaphore } from '../features/uploads/make-semaphore.ts';
import { fetchImage } from '../features/uploads/receive-image.ts';
import { contract } from '../http/contract.ts';
import { untilGone } from '../http/disconnects.ts';
import { absoluteUrl } from '../http/public-links.ts';
import { prove } from '../http/request-callers.ts';
import { serveDocument } from '../http/web/send-text.ts';
import { readKeyCalls, requireKey, requireKeyActor } from './bearer.ts';
import { isSandboxPath, v1Prefix } from './paths.ts';
import { presentV1BatchSummary } from './presenters.ts';

/** Service keys with the scope `admin:read` read what administrators with this role read. */
const serviceRole: Role = 'viewer';

/** The endpoints that only `/v1` has: the account of a key, the list of batches, image URLs, the API documents, and those of service keys. */
export function registerV1OnlyRoutes(app: App, deps: Deps, closing: AbortSignal): void {
  registerImageRoute(app, deps, closing);
  app.route({
    ...v1Contract('v1Account'),
    handler: async (request, reply) => {
      const key = requireKey(request);
      const { id, name, kind, monthlyCap, unitsThisMonth, tier } = key;
      const { meters: quota } = await readQuota(deps, { actor: { accountId: key.accountId } });
      const account = {
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
      return (reply as FastifyReply).status(200).send(account);
    },
  });
  app.route({
    ...v1Contract('v1ListBatches'),
    handler: async (request, reply) => {
      const found = await listBatches(deps, { actor: requireKeyActor(request), ...request.query });
      const data = found.batches.map((batch) => presentV1BatchSummary(deps.config, batch, v1Prefix(request)));
      return (reply as FastifyReply).status(200).send({ data, nextCursor: found.nextCursor });
    },
  });
  app.route({
    ...v1Contract('v1AdminStats'),
    handler: async (_request, reply) => (reply as FastifyReply).status(200).send(await getStats(deps, serviceRole)),
  });
  const makeDocument = () => makeOpenApi(absoluteUrl(deps.config, ''));
  const type = 'application/json';
  serveDocument(app, v1Contract('v1OpenApi'), { type, make: () => JSON.stringify(makeDocument()) });
  serveDocument(app, v1Contract('v1Postman'), { type, make: () => JSON.stringify(makePostman(makeDocument())) });
}

/** Pages contain small images, and request the same ones again and again. */
const memoryLimits = { totalBytes: 64 * 1024 * 1024, objectBytes: 1024 * 1024 };

const setHeaders: ApiAdapter['setHeaders'] = (reply, headers) => reply.headers(headers);

/** Registers image URLs. `closing` aborts fetches and waits when the gateway stops. */
function registerImageRoute(app: App, deps: Deps, closing: AbortSignal): void {
  const imageSlots = openImageSlots();
  app.addHook('onClose', () => imageSlots.close());
  const ctx = { ...deps, imageReads: openImageReads(deps), imageSlots, fetchImage: makeFetcher(deps) };
  const files = { storage: rememberObjects(deps.storage, memoryLimits), downloadTurns: deps.downloadTurns };
  app.route({
    ...v1Contract('v1Image'),
    handler: async (request, reply) => {
      // Nothing is free of charge here, as it would be in the sandbox.
      if (isSandboxPath(request)) throw new AppError('not_found');
      const { signature, processing: options, source } = request.params;
      const signal = untilGone(reply as FastifyReply, closing);
      const seconds = readWaitSeconds({ setHeaders }, reply as FastifyReply);
      const path = { signature, options, source };
      const accept = request.headers.accept ?? '';
      const imageReads = { ...ctx.imageReads, account: findAccountBy(ctx.imageReads, request as FastifyRequest) };
      const image = await getImage({ ...ctx, imageReads }, { path, accept, seconds, signal, closing });
      // Any page may show the image, and read its pixels, so the response doesn't depend on the origin.
      reply.headers({ 'access-control-allow-origin': '*', 'cross-origin-resource-policy': 'cross-origin' });
      if (image.varies) reply.header('vary', 'Accept');
      else reply.removeHeader('vary');
      return sendObject(files, { request, reply: reply as FastifyReply }, describeFile(image));
    },
  });
}

/** Anyone can name a key, so its account isn't the caller. */
const findAccountBy =
  (reads: ImageReads, request: FastifyRequest): ImageReads['account'] =>
  (keyId) => {
    const find = async () => {
      const account = await reads.account(keyId);
      if (!account) throw new AppError('image_url_invalid');
      return account;
    };
    return prove(request, { sort: 'image URL', secret: keyId, find });
  };

const describeFile = ({ object, accountId, job, maxAgeS }: SentImage): Sent => ({
  object,
  accountId,
  mimeType: mimeTypes[resultFormat(job)],
  filename: resultName(job),
  disposition: 'inline',
  publicFor: maxAgeS,
});

/** Fetches originals while the queue and the inspections have room. */
const makeFetcher =
  (deps: Deps) =>
  async (actor: Actor, wanted: Wanted): Promise<Upload> => {
    await deps.admission.requireShortWait(actor);
    deps.inspector.requireRoom({ key: actor.accountId, plan: actor.plan });
    return fetchImage(deps, actor, wanted);
  };

const maxImages = imageUrls.fetchSlots + imageUrls.fetchQueue;

/**
 * Makes a few images of each account at once, and lets few more wait. Throws `image_not_ready` beyond that, and for images
 * that waited longer than any client. `close` waits for the images that are being made.
 */
function openImageSlots(): ImageSlots & { close: () => Promise<void> } {
  const enter = makeSemaphore(imageUrls.fetchSlots);
  const accounts = new Map<string, Map<string, Promise<void>>>();
  return {
    run: ({ accountId, hash }, task) => {
      const images = accounts.get(accountId) ?? new Map<string, Promise<void>>();
      const running = images.get(hash);
      if (running) return running;
      if (images.size >= maxImages) return Promise.reject(imageNotReady());
      const latestMs = performance.now() + imageUrls.queueSeconds * 1_000;
      const made = enter(accountId, async () => {
        if (performance.now() > latestMs) throw imageNotReady();
        await task();
      }).finally(() => {
        images.delete(hash);
        if (images.size === 0) accounts.delete(accountId);
      });
      // Clients may have left before it fails.
      made.catch(() => undefined);
      accounts.set(accountId, images.set(hash, made));
      return made;
    },
    close: async () => {
      await Promise.allSettled([...accounts.values()].flatMap((images) => [...images.values()]));
    },
  };
}

/** All routes under `/v1`: those of the public API, and those of service keys. */
const served = { ...v1Routes, ...serviceRoutes };
type V1Name = keyof typeof served;

type RouteOf<Name extends V1Name> = ReturnType<typeof contract<Name>>;

/** A route of `/v1`, relative to the prefix that the plugin is mounted at. */
export function v1Contract<Name extends V1Name>(name: Name): Omit<RouteOf<Name>, 'url'> & { url: string } {
  const row = contract(name);
  return { ...row, url: row.url.replace(/^\/v1/, '') };
}

/** Endpoints whose name under `/v1` is not `v1` and their name under `/api`. */
const otherNames: Partial<Record<RouteName, V1Name[]>> = {
  processImage: ['v1Process', 'v1Resize'],
  createBatch: ['v1CreateBatch', 'v1Bulk'],
  getJob: ['v1GetJob', 'v1JobStatus'],
  listEngines: ['v1Engines'],
  signedFile: ['v1File'],
  downloadImage: ['v1JobResult'],
};

/** The names under `/v1` of an endpoint of `/api`. */
export function v1NamesOf(name: RouteName): V1Name[] {
  const usual = `v1${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return otherNames[name] ?? (Object.hasOwn(v1Routes, usual) ? [usual as V1Name] : []);
}
