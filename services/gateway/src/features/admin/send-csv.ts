import { Readable } from 'node:stream';
import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import { areEmailsMasked, maskEmails } from '../../http/mask-emails.ts';
import { formatCsv } from '../format-csv.ts';

export type Columns<Row> = Record<string, (row: Row) => string | number | null>;
type Export<Row> = { name: string; columns: Columns<Row>; pages: AsyncIterable<readonly Row[]> };

/** Streams rows as a CSV file with these columns. */
export function sendCsv<Row>(reply: FastifyReply, { name, columns, pages }: Export<Row>): FastifyReply {
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': contentDisposition(`${name}-${new Date().toISOString().slice(0, 10)}.csv`),
    'cache-control': 'no-store',
  });
  return reply.send(Readable.from(formatPages(columns, pages, areEmailsMasked(reply.request))));
}

async function* formatPages<Row>(
  columns: Columns<Row>,
  pages: Export<Row>['pages'],
  isMasked: boolean,
): AsyncGenerator<string> {
  const named = Object.entries(columns);
  const names = Object.keys(columns);
  let isFirst = true;
  for await (const rows of pages) {
    const cells = (isMasked ? maskEmails(rows) : rows).map((row) =>
      Object.fromEntries(named.map(([column, read]) => [column, read(row)])),
    );
    yield formatCsv(cells, names, { hasHeader: isFirst });
    isFirst = false;
  }
}
