import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { constants } from 'node:zlib';
import fastifyCompress from '@fastify/compress';
import fastifyHelmet from '@fastify/helmet';
import type { FastifyInstance } from 'fastify';
import type { Config } from '../config.ts';

/** Returns the CSP hashes of the inline scripts in the web app's page. The browser blocks all other inline scripts. */
function inlineScriptHashes(webDir: string): string[] {
  const page = path.join(webDir, 'index.html');
  if (!fs.existsSync(page)) return [];
  const scripts = fs.readFileSync(page, 'utf8').matchAll(/<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g);
  return [...scripts].map(([, text = '']) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`);
}

type PageSources = { scriptSrc: string[]; frameSrc: string[]; connectSrc: string[]; imgSrc?: string[] };
const emptySources: PageSources = { scriptSrc: [], frameSrc: [], connectSrc: [] };

/**
 * Returns Stripe's origins (docs.stripe.com/security/guide#content-security-policy). If a different API URL is
 * configured, returns its origin instead.
 */
function paymentSources({ payments }: Config): PageSources {
  if (payments?.apiUrl) {
    const own = [new URL(payments.apiUrl).origin];
    return { scriptSrc: own, frameSrc: own, connectSrc: own };
  }
  const scripts = ['https://js.stripe.com', 'https://*.js.stripe.com'];
  return {
    scriptSrc: scripts,
    frameSrc: [...scripts, 'https://hooks.stripe.com'],
    connectSrc: ['https://api.stripe.com'],
  };
}

function contentPolicy(config: Config, { scriptSrc, frameSrc, connectSrc, imgSrc = [] } = emptySources) {
  return {
    useDefaults: false,
    directives: {
      defaultSrc: ["'self'"],
      scriptSrc: ["'self'", ...inlineScriptHashes(config.WEB_DIR), ...scriptSrc],
      styleSrc: ["'self'", "'unsafe-inline'"],
      imgSrc: ["'self'", 'blob:', 'data:', ...imgSrc],
      fontSrc: ["'self'"],
      connectSrc: ["'self'", 'blob:', ...connectSrc],
      workerSrc: ["'self'", 'blob:'],
      ...(frameSrc.length > 0 && { frameSrc: ["'self'", ...frameSrc] }),
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
  };
}

/**
 * Headers that payment pages have in addition to the default security headers. Pop-ups are allowed, because a bank may
 * open one to confirm a payment.
 */
export const paymentPageHeaders = (config: Config) =>
  ({
    contentSecurityPolicy: contentPolicy(config, paymentSources(config)),
    crossOriginOpenerPolicy: { policy: 'same-origin-allow-popups' },
  }) as const;

/** Google's own origins (developers.google.com/tag-platform/security/guides/csp). Inline tags stay blocked. */
const analyticsSources: PageSources = {
  scriptSrc: ['https://www.googletagmanager.com'],
  frameSrc: [],
  connectSrc: ['https://www.googletagmanager.com', 'https://*.google-analytics.com', 'https://*.analytics.google.com'],
  imgSrc: ['https://www.googletagmanager.com', 'https://*.google-analytics.com'],
};

export const analyticsPageHeaders = (config: Config) =>
  ({ contentSecurityPolicy: contentPolicy(config, analyticsSources) }) as const;

const wasmPolicy = (config: Config) => contentPolicy(config, { ...emptySources, scriptSrc: ["'wasm-unsafe-eval'"] });

/**
 * Headers of a document that shares memory between threads (HTML, 7.1.4 "Cross-origin isolation"). No other site can
 * share its process, and it loads only our own resources.
 */
export const isolatedPageHeaders = (config: Config) =>
  ({ contentSecurityPolicy: wasmPolicy(config), crossOriginEmbedderPolicy: { policy: 'require-corp' } }) as const;

/**
 * Headers for the worker scripts that isolated pages start, as strings. Workers need their own, because they don't
 * inherit the page's policies.
 */
export const isolatedWorkerHeaders = (config: Config): Record<string, string> => ({
  'content-security-policy': formatPolicy(wasmPolicy(config).directives),
  'cross-origin-embedder-policy': 'require-corp',
});

const formatPolicy = (directives: Record<string, string[]>) =>
  Object.entries(directives)
    .map(([name, sources]) => [name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`), ...sources].join(' '))
    .join(';');

/**
 * Sets the headers of every response: a strict content policy, no framing, no sniffing, and HSTS for a year if the site
 * uses HTTPS.
 */
export async function registerSecurityHeaders(app: FastifyInstance, config: Config): Promise<void> {
  const https = config.PUBLIC_URL.startsWith('https:');
  await app.register(fastifyHelmet, {
    contentSecurityPolicy: contentPolicy(config),
    strictTransportSecurity: https ? { maxAge: 31_536_000, includeSubDomains: true } : false,
    xFrameOptions: { action: 'deny' },
    referrerPolicy: { policy: 'strict-origin-when-cross-origin' },
  });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id);
  });
  app.addHook('onSend', async (request, reply) => {
    if (/^\/(api|v1)\//.test(request.url) && !reply.hasHeader('cache-control'))
      reply.header('cache-control', 'no-store');
  });
}

/**
 * Text types to compress. Images and archives are already compressed. Event streams are excluded, because their events
 * must arrive immediately.
 */
const compressibleTypePattern = /^(?:text\/(?!event-stream)|application\/(?:[\w.-]+\+)?(?:json|xml)\b)/i;

/** Smaller responses fit into one packet anyway. */
const minBytes = 1_024;

/**
 * Below Brotli's default of 11. Most responses are generated per request, and the default takes longer than it saves.
 */
const brotliQuality = 4;

/**
 * Compresses text responses with Brotli or gzip. Pages are already compressed when they are sent, and keep their
 * encoding.
 */
export async function registerCompression(app: FastifyInstance): Promise<void> {
  // Excludes other types here, because `customTypes` can only add types. The plugin would also compress all types that
  // mime-db marks as compressible, such as application/octet-stream.
  app.addHook('onSend', async (request, reply) => {
    if (!compressibleTypePattern.test(String(reply.getHeader('content-type'))))
      request.headers['x-no-compression'] = 'true';
  });
  await app.register(fastifyCompress, {
    encodings: ['br', 'gzip'],
    customTypes: compressibleTypePattern,
    threshold: minBytes,
    brotliOptions: { params: { [constants.BROTLI_PARAM_QUALITY]: brotliQuality } },
    globalDecompression: false,
  });
}
