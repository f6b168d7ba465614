import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyReply, FastifyRequest } from 'fastify';

type Row = { method: string; pattern: RegExp };
const rows: Row[] = Object.values(v1Routes).map(({ method, path }) => ({
  method,
  pattern: new RegExp(`^${path.replaceAll('.', '\\.').replace(/:\w+/g, '[^/]+')}/?$`),
}));

function methodsAt(url: string): string[] {
  const path = url.split(/[?#]/)[0] ?? '';
  return rows.filter(({ pattern }) => pattern.test(path)).map(({ method }) => method);
}

/** The error for a path or method that `/v1` does not have; `Allow` lists the methods of a path that exists. */
export function nothingAt({ url, method }: FastifyRequest, reply: FastifyReply): AppError {
  const methods = methodsAt(url).join(', ');
  if (methods === '') return new AppError('not_found');
  reply.header('allow', methods);
  const detail = `This URL doesn't support ${method}.`;
  return new AppError('not_found', { detail, hint: `Use ${methods}.` });
}
