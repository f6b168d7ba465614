import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import type { FastifyInstance } from 'fastify';

/** Text that grows with its data. Images and archives are compressed already, and events must arrive at once. */
const texts = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;

/** Smaller responses fit into one packet in any case. Bytes. */
const minBytes = 1_024;

/** The default, 11, takes longer than it saves for responses that are written for each request. */
const brotliQuality = 4;

/** Compresses responses of text with brotli or gzip. Pages are compressed where they are sent, and keep their encoding. */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  // `customTypes` only adds to the types that mime-db calls compressible, such as application/octet-stream.
  app.addHook('onSend', async (request, reply) => {
    if (!texts.test(String(reply.getHeader('content-type')))) request.headers['x-no-compression'] = 'true';
  });
  await app.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    customTypes: texts,
    threshold: minBytes,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
    globalDecompression: false,
  });
}
