import { errorPage } from '@uprez/contracts/texts/site/pages';
import type { FastifyReply } from 'fastify';
import type { Config } from '../config.ts';

/** Links that leave the product begin with its public address, never with what a request calls it. */
export const absoluteUrl = ({ PUBLIC_URL }: Pick<Config, 'PUBLIC_URL'>, path: string): string =>
  PUBLIC_URL.replace(/\/+$/, '') + path;

/** Where an error code is explained. */
export const documentationUrl = (config: Pick<Config, 'PUBLIC_URL'>, code: string): string =>
  absoluteUrl(config, errorPage(code));

type Page = {
  path: string;
  query: Record<string, string | number | undefined>;
  total: number;
  nextCursor: string | number | undefined;
};

/** Sets the headers of one page of a list of `/api`: `X-Total-Count`, and `Link` to the next page with the same filters. */
export function linkNext(reply: FastifyReply, { path, query, total, nextCursor }: Page): void {
  reply.header('x-total-count', total);
  if (nextCursor === undefined) return;
  const next = new URLSearchParams({ cursor: String(nextCursor) });
  for (const [name, value] of Object.entries(query))
    if (name !== 'cursor' && value !== undefined) next.set(name, String(value));
  reply.header('link', `<${path}?${next}>; rel="next"`);
}
