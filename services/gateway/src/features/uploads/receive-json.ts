import { buffer } from 'node:stream/consumers';
import { AppError } from '@uprez/contracts/errors/app-error';
import { limits } from '@uprez/contracts/policy/limits';
import { type Actor, isSandbox } from '@uprez/domain/actor';
import { abandonUpload } from '@uprez/domain/uploads/abandon-upload';
import type { FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { jsonTooLarge, parseJson, readJson } from '../../http/read-json.ts';
import { receiveBody } from '../batches/receive-item.ts';
import { makeLanes } from './make-lanes.ts';
import type { Upload } from './receive-upload.ts';

type JsonDeps = Pick<Deps, 'db' | 'storage' | 'log'>;

/** Bodies up to this size are held in memory as they come, as those of all other calls are. Bytes. */
const smallBytes = 64 * 1024;

/** Large bodies that are in memory at once, of an account in one of its two worlds. */
const inLane = makeLanes(4);

/**
 * What `take` makes of a JSON body with an image in it. A large one comes into storage as slowly as its client sends,
 * and is in memory only once it is whole: nobody waits for another's client. Throws as `readJson` does.
 */
export async function receiveJson<T>(
  deps: JsonDeps,
  actor: Actor,
  { request, take }: { request: FastifyRequest; take: (body: unknown) => Promise<T> },
): Promise<T> {
  const declared = request.headers['content-length'];
  if (declared !== undefined && Number(declared) <= smallBytes) return take(await readJson(request, smallBytes));
  const stored = await storeJson(deps, actor, request);
  try {
    return await inLane(`${actor.accountId} ${isSandbox(actor)}`, async () => {
      const { stream } = await deps.storage.get(stored.key);
      return take(parseJson(await buffer(stream)));
    });
  } finally {
    await abandonUpload(deps, stored);
  }
}

async function storeJson(deps: JsonDeps, actor: Actor, request: FastifyRequest): Promise<Upload> {
  try {
    return await receiveBody(deps, actor, { request, maxBytes: limits.jsonImageBytes });
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    if (error.code === 'file_too_large') throw jsonTooLarge(limits.jsonImageBytes);
    if (error.code === 'empty_file') throw new AppError('malformed_body', { param: 'body' });
    if (error.code !== 'malformed_multipart') throw error;
    throw new AppError('malformed_body', { detail: error.message, param: 'body', cause: error });
  }
}
