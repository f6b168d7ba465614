import { type AiEngine, aiEngines, engineDescriptions, engineNames, isAiEngine } from '@uprez/contracts/policy/engines';
import type { Engine } from '@uprez/contracts/schemas/engine-list';
import type { WorkerInfo } from '@uprez/contracts/schemas/health';
import type { Operator } from '@uprez/domain/jobs/planning/plan-job';
import { defaultSpeeds } from '@uprez/imaging/plan/speeds';
import type { Deps } from '../../deps.ts';

/** Workers that live; none when Redis is away, or while they start. */
const listWorkers = (deps: Pick<Deps, 'registry'>): Promise<WorkerInfo[]> => deps.registry.list().catch(() => []);

/** The slowest worker decides: any of them may get the job. */
function speedOf(workers: readonly WorkerInfo[], engine: AiEngine): number | undefined {
  const networks = workers.flatMap((worker) => worker.networks.filter((network) => network.engine === engine));
  const speeds = networks.map(({ pixelsPerSecond }) => pixelsPerSecond).filter((speed) => speed !== null);
  return speeds.length > 0 ? Math.min(...speeds) : undefined;
}

/** What the planner must know of this installation: engines that some living worker has, and how fast they ran last. */
export async function describeOperator(deps: Pick<Deps, 'registry' | 'config'>): Promise<Operator> {
  const { AI_ENGINE, MAX_JOB_S } = deps.config;
  const workers = await listWorkers(deps);
  const names = new Set(workers.flatMap((worker) => worker.engines));
  const measured = aiEngines.flatMap((engine) => {
    const speed = speedOf(workers, engine);
    return speed === undefined ? [] : [[engine, speed] as const];
  });
  return {
    autoEngine: AI_ENGINE,
    maxJobSeconds: MAX_JOB_S,
    speed: Object.fromEntries(measured),
    ...(names.size > 0 ? { enginesAvailable: engineNames.filter((name) => names.has(name)) } : {}),
  };
}

/** Every engine there is, and how it runs here. */
export async function describeEngines(deps: Pick<Deps, 'registry' | 'config'>): Promise<Engine[]> {
  const workers = await listWorkers(deps);
  return engineNames.map((name) => {
    const having = workers.filter((worker) => worker.engines.includes(name));
    const network = having.flatMap((worker) => worker.networks).find(({ engine }) => engine === name);
    return {
      name,
      meter: isAiEngine(name) ? 'ai' : 'standard',
      says: engineDescriptions[name],
      isAuto: name === deps.config.AI_ENGINE,
      available: workers.length > 0 ? having.length > 0 : null,
      device: (network && having[0]?.device) ?? null,
      variant: network?.variant ?? null,
      reason: network?.reason ?? null,
      pixelsPerSecond: isAiEngine(name) ? (speedOf(workers, name) ?? defaultSpeeds.network[name]) : null,
    };
  });
}
