import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { serviceRoutes } from '@uprez/contracts/endpoints/routes-service';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { AppError } from '@uprez/contracts/errors/app-error';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { contract } from '../http/contract.ts';

/** All routes under `/v1`: those of the public API, and those of service keys. */
const served = { ...v1Routes, ...serviceRoutes };
type V1Name = keyof typeof served;

type RouteOf<Name extends V1Name> = ReturnType<typeof contract<Name>>;

/** A route of `/v1`, relative to the prefix that the plugin is mounted at. */
export function v1Contract<Name extends V1Name>(name: Name): Omit<RouteOf<Name>, 'url'> & { url: string } {
  const row = contract(name);
  return { ...row, url: row.url.replace(/^\/v1/, '') };
}

/** Endpoints whose name under `/v1` is not `v1` and their name under `/api`. */
const otherNames: Partial<Record<RouteName, V1Name[]>> = {
  processImage: ['v1Process', 'v1Resize'],
  createBatch: ['v1CreateBatch', 'v1Bulk'],
  getJob: ['v1GetJob', 'v1JobStatus'],
  listEngines: ['v1Engines'],
  signedFile: ['v1File'],
  downloadImage: ['v1JobResult'],
};

/** The names under `/v1` of an endpoint of `/api`. */
export function v1NamesOf(name: RouteName): V1Name[] {
  const usual = `v1${name.charAt(0).toUpperCase()}${name.slice(1)}`;
  return otherNames[name] ?? (Object.hasOwn(v1Routes, usual) ? [usual as V1Name] : []);
}

type Row = { method: string; pattern: RegExp };
const rows: Row[] = Object.values(served).map(({ method, path }) => ({
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
