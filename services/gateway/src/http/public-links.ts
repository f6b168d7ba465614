import { errorPage } from '@uprez/contracts/texts/site/pages';
import type { FastifyReply } from 'fastify';
import type { Config } from '../config.ts';

/** Returns the absolute URL of a path. It always begins with `PUBLIC_URL`, never with the host name in a request. */
export const absoluteUrl = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, path: string): string =>
  PUBLIC_URL.replace(/\/+$/, '') + path;

export const documentationUrl = (config: Pick<Config, 'PUBLIC_URL'>, code: string): string =>
  absoluteUrl(config, errorPage(code));

type Page<Row> = { rows: Row[]; total: number; nextCursor?: string | number | undefined };

/**
 * Returns the records on one page of a list in `/api`, and sets two headers: `X-Total-Count`, and `Link` to the next
 * page with the same filters.
 */
export function rowsOfPage<Row>(reply: FastifyReply, { rows, total, nextCursor }: Page<Row>): Row[] {
  const { url, query } = reply.request;
  reply.header('x-total-count', total);
  if (nextCursor === undefined) return rows;
  const next = new URLSearchParams({ cursor: String(nextCursor) });
  for (const [name, value] of Object.entries(query as Record<string, string | number | undefined>))
    if (name !== 'cursor' && value !== undefined) next.set(name, String(value));
  reply.header('link', `<${url.split('?')[0]}?${next}>; rel="next"`);
  return rows;
}
