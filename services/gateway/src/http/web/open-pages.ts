import fs from 'node:fs';
import path from 'node:path';
import { urlPlaceholder } from '@uprez/contracts/texts/placeholders';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { absoluteUrl } from '../public-links.ts';
import { analyticsPageHeaders, isolatedPageHeaders } from '../security-headers.ts';
import { cutPage, joinPage, type PageParts } from './cut-page.ts';
import { escapeHtml } from './escape-html.ts';
import type { PageDocument, PageSettings } from './page-document.ts';
import { hasAnalytics, makeHead } from './page-head.ts';
import { addVary, openTextSender } from './send-text.ts';
import { withoutScripts } from './without-scripts.ts';

/** Sends the pages of the web app with their documents. */
export type Pages = {
  /** `file`: a page of the build. */
  send: (reply: FastifyReply, file: string, page: PageDocument) => Promise<FastifyReply>;
};

/** The page without any content of its own. */
export const appPage = 'index.html';

/** Opens the pages of a folder. Each file is cut once. */
export function openPages(deps: Pick<Deps, 'config' | 'settings' | 'log'>, webDir: string): Pages {
  const analyticsHeaders = analyticsPageHeaders(deps.config);
  const isolatedHeaders = isolatedPageHeaders(deps.config);
  const partsOf = keepParts(webDir, escapeHtml(absoluteUrl(deps.config, '')));
  const readSettings = keepLast(
    async (): Promise<PageSettings> => ({
      seo: await deps.settings.read('seo'),
      site: await deps.settings.read('site'),
    }),
    deps,
  );
  const sendText = openTextSender();
  return {
    send: async (reply, file, page) => {
      const settings = await readSettings();
      const isOffered =
        page.canonical !== undefined && !page.isIsolated && settings !== undefined && hasAnalytics(settings.seo);
      // Global Privacy Control means no, so the visitor isn't asked.
      const tracks = isOffered && reply.request.headers['sec-gpc'] !== '1';
      if (isOffered) addVary(reply, 'sec-gpc');
      if (tracks) await reply.helmet(analyticsHeaders);
      if (page.isIsolated) await reply.helmet(isolatedHeaders);
      const parts = partsOf(file);
      const head = settings ? makeHead(settings, page, tracks) : parts.built;
      return sendText(reply, {
        type: 'text/html',
        text: joinPage(parts, head, page.body ?? (file === appPage ? withoutScripts(page) : undefined)),
      });
    },
  };
}

/** `siteUrl`: what examples in the pages show, as HTML. */
function keepParts(webDir: string, siteUrl: string): (file: string) => PageParts {
  const kept = new Map<string, PageParts>();
  const read = (file: string) =>
    fs.readFileSync(path.join(webDir, file), 'utf8').replaceAll(urlPlaceholder, () => siteUrl);
  return (file) => {
    const parts = kept.get(file) ?? cutPage(read(file));
    kept.set(file, parts);
    return parts;
  };
}

/** The path of a URL, without a trailing slash. */
export const pathOf = (url: FastifyRequest['url']): string => (url.split(/[?#]/)[0] ?? '').replace(/(?<=[^/])\/$/, '');

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
