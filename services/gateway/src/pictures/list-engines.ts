import { type EngineName, engineNames } from '@uprez/contracts/engines';
import type { Deps } from '../deps.ts';

/** Engines that some living worker has; undefined when none is known (Redis is away, or workers are starting). */
export async function listEngines(deps: Pick<Deps, 'registry'>): Promise<EngineName[] | undefined> {
  const workers = await deps.registry.list().catch(() => []);
  const names = new Set(workers.flatMap((worker) => worker.engines));
  return names.size > 0 ? engineNames.filter((name) => names.has(name)) : undefined;
}
