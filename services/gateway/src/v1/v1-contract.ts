import type { RouteName } from '@uprez/contracts/endpoints/routes';
import { serviceRoutes } from '@uprez/contracts/endpoints/routes-v1';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
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
