import fs from 'node:fs';
import path from 'node:path';
import fastifyStatic from '@fastify/static';
import { AppError } from '@uprez/contracts/errors/app-error';
import { mailPages } from '@uprez/contracts/texts/pages';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Config } from '../config.ts';
import { methodsAt } from './methods-at.ts';

const ours = /^\/(api|v1|healthz|readyz)(\/|\?|$)/;

/** Addresses that carry the secret of a mail's link. */
const secretPage = new RegExp(`^(${mailPages.resetPassword}|${mailPages.verifyEmail})/?(\\?|$)`);

/** A refusal that tells what else the address takes, where there is a call of the public API. */
function nothingAt({ url, method }: FastifyRequest, reply: FastifyReply): AppError {
  const methods = methodsAt(url).join(', ');
  if (methods === '') return new AppError('not_found');
  reply.header('allow', methods);
  const detail = `There is nothing at this address for ${method}.`;
  return new AppError('not_found', { detail, hint: `This address takes ${methods}.` });
}

/**
 * Serve the built web app: its files (named by content, so kept for a year), and its page for every other address that
 * a browser asks for. Unknown addresses of ours, and of anything that does not accept HTML, are 404.
 */
export async function registerWeb(app: FastifyInstance, config: Config): Promise<void> {
  const page = path.join(config.WEB_DIR, 'index.html');
  const built = fs.existsSync(page);
  if (built) {
    await app.register(fastifyStatic, {
      root: config.WEB_DIR,
      wildcard: false,
      index: false,
      cacheControl: false,
      preCompressed: true,
      setHeaders: (reply, file) => {
        const named = path.relative(config.WEB_DIR, file).startsWith(`assets${path.sep}`);
        reply.header('cache-control', named ? 'public, max-age=31536000, immutable' : 'no-cache');
      },
    });
  }
  app.setNotFoundHandler((request, reply) => {
    const reads = request.method === 'GET' || request.method === 'HEAD';
    const wantsPage = reads && request.headers.accept?.includes('text/html') && !ours.test(request.url);
    if (!built || !wantsPage) throw nothingAt(request, reply);
    // Nothing of it goes to another site. `no-referrer` would also hide from our own calls where they come from.
    if (secretPage.test(request.url)) reply.header('referrer-policy', 'same-origin');
    return reply.header('cache-control', 'no-cache').sendFile('index.html');
  });
}
