import fs from 'node:fs';
import path from 'node:path';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { sitePaths } from '@uprez/contracts/texts/site/pages';
import { urlPlaceholder } from '@uprez/contracts/texts/site/placeholders';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Deps } from '../../deps.ts';
import { absoluteUrl } from '../public-links.ts';
import { analyticsPageHeaders, isolatedPageHeaders } from '../register-responses.ts';
import {
  escapeHtml,
  hasAnalytics,
  link,
  makeHead,
  missingPage,
  type PageDocument,
  type PageSettings,
  servedMain,
} from './page-document.ts';
import { addVary, openTextSender } from './send-text.ts';

export type Pages = {
  send: (reply: FastifyReply, file: string, page: PageDocument) => Promise<FastifyReply>;
};

/** File name of the app's page, which has no content of its own. */
export const appPage = 'index.html';

/** Opens the built pages in a folder. Reads and splits each file only once. */
export function openPages(deps: Pick<Deps, 'config' | 'settings' | 'log'>, webDir: string): Pages {
  const analyticsHeaders = analyticsPageHeaders(deps.config);
  const isolatedHeaders = isolatedPageHeaders(deps.config);
  const partsOf = cachePageParts(webDir, escapeHtml(absoluteUrl(deps.config, '')));
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
      // Global Privacy Control counts as declining, so the visitor isn't asked for consent.
      const tracks = isOffered && reply.request.headers['sec-gpc'] !== '1';
      if (isOffered) addVary(reply, 'sec-gpc');
      if (tracks) await reply.helmet(analyticsHeaders);
      if (page.isIsolated) await reply.helmet(isolatedHeaders);
      const parts = partsOf(file);
      const head = settings ? makeHead(settings, page, tracks) : parts.built;
      return sendText(reply, {
        type: 'text/html',
        text: joinPage(parts, head, page.body ?? (file === appPage ? renderNoscript(page) : undefined)),
      });
    },
  };
}

/** `siteUrl`: URL in the pages' examples, escaped for HTML. */
function cachePageParts(webDir: string, siteUrl: string): (file: string) => PageParts {
  const kept = new Map<string, PageParts>();
  const read = (file: string) =>
    fs.readFileSync(path.join(webDir, file), 'utf8').replaceAll(urlPlaceholder, () => siteUrl);
  return (file) => {
    const parts = kept.get(file) ?? splitPage(read(file));
    kept.set(file, parts);
    return parts;
  };
}

/** Returns the path of a URL, without a trailing slash. */
export const pathOf = (url: FastifyRequest['url']): string => (url.split(/[?#]/)[0] ?? '').replace(/(?<=[^/])\/$/, '');

/**
 * Returns a function that returns the last value that could be read, because pages must be sent even while PostgreSQL
 * is unavailable. Before the first value has been read, pages keep the title from the build.
 */
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

/** A built page, split where the gateway inserts content. `built` contains the title and description from the build. */
type PageParts = { before: string; built: string; middle: string; after: string };

const builtTagPattern = /<title>[\s\S]*?<\/title>\s*|<meta\s+name="description"[^>]*>\s*/g;
const root = '<div id="root">';

/**
 * Splits a built page at its title and at the start of its root element, and extracts its title and description. Throws
 * if the page lacks either.
 */
function splitPage(html: string): PageParts {
  const titleAt = html.indexOf('<title>');
  if (titleAt < 0) throw new Error('The built page has no title.');
  const rootAt = html.indexOf(root, titleAt);
  if (rootAt < 0) throw new Error('The built page has no root.');
  const strip = (text: string) => text.replaceAll(builtTagPattern, '');
  const contentAt = rootAt + root.length;
  const built = (html.match(builtTagPattern) ?? []).join('').trim();
  return {
    before: strip(html.slice(0, titleAt)),
    built,
    middle: strip(html.slice(titleAt, contentAt)),
    after: html.slice(contentAt),
  };
}

/**
 * Joins the parts of a page. Doesn't use `replace`, which would treat `$&` in a title as a pattern. `body` is the
 * initial content of the root element.
 */
const joinPage = ({ before, middle, after }: PageParts, head: string, body = ''): string =>
  `${before}${head}\n${middle}${body}${after}`;

const links = `<p>${link(sitePaths.home, 'Home')} ${link(sitePaths.help, 'Help Center')} ${link(sitePaths.contact, 'Contact')}</p>`;

/** Same content as the API explorer. */
const descriptions = [
  [sitePaths.documentation, 'Documentation: all endpoints, options, and errors'],
  [v1Routes.v1OpenApi.path, 'OpenAPI 3.1'],
  [v1Routes.v1Postman.path, 'Postman collection'],
  [apiRoutes.llms.path, 'llms.txt'],
] as const;
const listDescriptions = (page: PageDocument) =>
  page.canonical === sitePaths.reference &&
  `<p>Everything it describes is also here:</p>\n<ul>\n${descriptions.map(([path, label]) => `<li>${link(path, label)}</li>`).join('\n')}\n</ul>`;

function explainMissingContent(page: PageDocument): string {
  if (page === missingPage) return "This page doesn't exist or has moved.";
  // Only a page that couldn't be read has neither a head nor a canonical path.
  if (!page.head && !page.canonical) return "This page couldn't load. Reload it in a few seconds.";
  return 'This page needs JavaScript. Turn on JavaScript in your browser, and reload the page.';
}

/**
 * Returns the content for browsers without JavaScript, for missing pages and for pages that only the app can render.
 */
function renderNoscript(page: PageDocument): string {
  const heading = page.head?.title ? `<h1>${escapeHtml(page.head.title)}</h1>` : '';
  return `<noscript>${servedMain([heading, `<p>${explainMissingContent(page)}</p>`, listDescriptions(page) || null, links])}</noscript>`;
}
