import { create as contentDisposition } from 'content-disposition';
import type { FastifyReply } from 'fastify';
import { manifestCsv } from './present-manifest.ts';

type Rows = { createdAt: Date; rows: Parameters<typeof manifestCsv>[0] };

/** Answer a batch's manifest as a file of comma-separated values. */
export function sendCsv(reply: FastifyReply, { createdAt, rows }: Rows): FastifyReply {
  reply.headers({
    'content-type': 'text/csv; charset=utf-8',
    'content-disposition': contentDisposition(`batch-${createdAt.toISOString().slice(0, 10)}.csv`),
    'cache-control': 'no-store',
  });
  return reply.status(200).send(manifestCsv(rows));
}
