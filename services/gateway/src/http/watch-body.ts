import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { watchUpload } from '../features/uploads/watch-upload.ts';
import { hasBody } from './answer-early.ts';
import { registerJsonParser } from './read-json.ts';

/** Cut off a body that does not come. An upload is watched where it is received, and is answered. */
async function watchBody(request: FastifyRequest, reply: FastifyReply): Promise<void> {
  if (!hasBody(request.raw) || request.headers['content-type']?.startsWith('multipart/')) return;
  const watch = watchUpload(request.raw);
  watch.signal.addEventListener('abort', () => request.raw.destroy());
  reply.raw.once('close', watch.stop);
}

/** Parse and watch the bodies of all calls, once it is known that they may be sent. */
export function watchBodies(app: FastifyInstance): void {
  registerJsonParser(app);
  app.addHook('onRequest', watchBody);
}
