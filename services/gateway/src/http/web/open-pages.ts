import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, gzip } from 'node:zlib';
import type { SettingsByName } from '@uprez/domain/context';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { analyticsPageHeaders } from '../security-headers.ts';
import { cutPage, hasAnalytics, headPath, joinPage, makeHead, type PageParts } from './page-head.ts';

const encoders = { br: promisify(brotliCompress), gzip: promisify(gzip) };
type Encoding = keyof typeof encoders;

/** A page with its head, and its compressed forms, which are made when they are first needed. */
type BuiltPage = { html: string; etag: string; encoded: Map<Encoding, Promise<Buffer>> };
type PageSettings = { seo: SettingsByName['seo']; site: SettingsByName['site']; tracks: boolean };

/** Sends the pages of the web app with the head that the settings say. */
export type Pages = { send: (request: FastifyRequest, reply: FastifyReply, file: string) => Promise<FastifyReply> };

/** Opens the pages of a folder. A page is built once for each path and each version of the settings. */
export function openPages(deps: Pick<Deps, 'config' | 'settings' | 'log'>, webDir: string): Pages {
  const analyticsHeaders = analyticsPageHeaders(deps.config);
  const parts = new Map<string, PageParts>();
  const partsOf = (file: string) => {
    const known = parts.get(file) ?? cutPage(fs.readFileSync(path.join(webDir, file), 'utf8'));
    parts.set(file, known);
    return known;
  };
  const readSettings = keepLast(
    async () => ({
      seo: await deps.settings.read('seo'),
      site: await deps.settings.read('site'),
    }),
    deps,
  );
  let built = new Map<string, BuiltPage>();
  let builtFor = '';
  return {
    send: async (request, reply, file) => {
      const settings = await readSettings();
      const version = settings ? JSON.stringify(settings) : '';
      if (version !== builtFor) [built, builtFor] = [new Map(), version];
      const place = headPath(pathOf(request.url));
      const isOffered = place !== undefined && settings !== undefined && hasAnalytics(settings.seo);
      // Global Privacy Control means no, so the visitor isn't asked.
      const tracks = isOffered && request.headers['sec-gpc'] !== '1';
      if (isOffered) addVary(reply, 'sec-gpc');
      if (tracks) await reply.helmet(analyticsHeaders);
      const key = `${file} ${place ?? ''} ${tracks}`;
      const page = built.get(key) ?? buildPage(partsOf(file), settings && { ...settings, tracks }, place);
      built.set(key, page);
      return sendPage(request, reply, page);
    },
  };
}

/** The path of a URL, without a trailing slash. */
export const pathOf = (url: string): string => (url.split(/[?#]/)[0] ?? '').replace(/(?<=[^/])\/$/, '');

/** Pages are sent while PostgreSQL is away, too: with the last settings that were read, or with their built title. */
function keepLast<T>(read: () => Promise<T>, { log }: Pick<Deps, 'log'>): () => Promise<T | undefined> {
  let last: T | undefined;
  return async () => {
    try {
      last = await read();
    } catch (error) {
      log.warn({ err: error }, 'page settings unavailable');
    }
    return last;
  };
}

function buildPage(parts: PageParts, settings: PageSettings | undefined, place: string | undefined): BuiltPage {
  const head = settings
    ? makeHead({ seo: settings.seo, tracks: settings.tracks, ...settings.site }, place)
    : parts.built;
  const html = joinPage(parts, head);
  const etag = createHash('sha256').update(html).digest('base64url');
  return { html, etag, encoded: new Map() };
}

async function sendPage(request: FastifyRequest, reply: FastifyReply, page: BuiltPage): Promise<FastifyReply> {
  const encoding = (['br', 'gzip'] as const).find((name) => accepts(request, name));
  const etag = `"${page.etag}${encoding ? `-${encoding}` : ''}"`;
  reply.headers({ etag, 'content-type': 'text/html; charset=utf-8' });
  addVary(reply, 'accept-encoding');
  if (isKnown(request, etag)) return reply.status(304).send();
  if (!encoding) return reply.send(page.html);
  const body = page.encoded.get(encoding) ?? encoders[encoding](page.html);
  page.encoded.set(encoding, body);
  return reply.header('content-encoding', encoding).send(await body);
}

const addVary = (reply: FastifyReply, name: string) =>
  reply.header('vary', [reply.getHeader('vary'), name].filter(Boolean).join(', '));

const accepts = ({ headers }: FastifyRequest, encoding: Encoding) =>
  new RegExp(`\\b${encoding}\\b(?!\\s*;\\s*q=0(\\.0*)?\\s*(,|$))`, 'i').test(String(headers['accept-encoding'] ?? ''));

const isKnown = ({ headers }: FastifyRequest, etag: string) =>
  (headers['if-none-match'] ?? '').split(',').some((known) => known.trim().replace(/^W\//, '') === etag);
