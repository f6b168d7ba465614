import { AppError } from '@uprez/contracts/errors/app-error';
import { resultFormat } from '@uprez/contracts/policy/free-jobs';
import { mimeTypes } from '@uprez/contracts/policy/image-formats';
import type { Actor } from '@uprez/domain/actor';
import { getImage, type SentImage } from '@uprez/domain/image-urls/get-image';
import { type ImageReads, openImageReads } from '@uprez/domain/image-urls/open-image-reads';
import type { Upload } from '@uprez/domain/intake/plan-upload';
import type { Wanted } from '@uprez/domain/uploads/begin-upload';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { App } from '../app-type.ts';
import type { Deps } from '../deps.ts';
import type { Dialect } from '../features/dialect.ts';
import { rememberObjects } from '../features/files/remember-objects.ts';
import { type Sent, sendObject } from '../features/files/send-object.ts';
import { resultName } from '../features/jobs/present-job.ts';
import { readWaitSeconds } from '../features/jobs/wait-time.ts';
import { fetchImage } from '../features/uploads/receive-image.ts';
import { untilGone } from '../http/closing-signal.ts';
import { prove } from '../http/request-callers.ts';
import { openImageSlots } from './open-image-slots.ts';
import { isSandboxPath } from './paths.ts';
import { v1Contract } from './v1-contract.ts';

/** Pages contain small images, and request the same ones again and again. */
const memoryLimits = { totalBytes: 64 * 1024 * 1024, objectBytes: 1024 * 1024 };

const tell: Dialect['tell'] = (reply, headers) => reply.headers(headers);

/** Registers image URLs. `closing` aborts fetches and waits when the gateway stops. */
export function registerImageRoute(app: App, deps: Deps, closing: AbortSignal): void {
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
      const seconds = readWaitSeconds({ tell }, reply as FastifyReply);
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
