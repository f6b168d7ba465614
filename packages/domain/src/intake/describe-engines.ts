import {
  type AiEngine,
  aiEngines,
  type CustomEngine,
  engineDescriptions,
  engineNames,
  isAiEngine,
  isCustomEngine,
  type JobEngine,
  type ModelEngine,
} from '@uprez/contracts/policy/images/engines';
import { genericProfile } from '@uprez/contracts/policy/images/print-profiles';
import type { WorkerInfo } from '@uprez/contracts/schemas/health';
import type { CustomModelInfo, Engine, PrintProfile } from '@uprez/contracts/schemas/jobs/estimate';
import { defaultSpeeds } from '@uprez/imaging/pipeline/estimate';
import type { WorkerRegistry } from '@uprez/queue/open-worker-registry';
import type { Needs } from '../context.ts';
import type { Operator } from '../jobs/pipeline/make-job-pipeline.ts';

export type OperatorContext = {
  registry: Pick<WorkerRegistry, 'list'>;
  config: { AI_ENGINE: AiEngine; MAX_JOB_S: number };
} & Needs<'settings'>;

/**
 * Returns the shared workers, because most accounts can't use reserved workers. If only reserved workers are running,
 * returns those. Returns none when Redis is unavailable, and while the workers are starting.
 */
async function listWorkers({ registry }: Pick<OperatorContext, 'registry'>): Promise<WorkerInfo[]> {
  const workers = await registry.list().catch(() => []);
  const shared = workers.filter(({ pool }) => pool === null);
  return shared.length > 0 ? shared : workers;
}

/** Returns the custom models of the workers by engine. If workers have different models, returns that of the first. */
function listCustomModels(workers: readonly WorkerInfo[]): [CustomEngine, CustomModelInfo][] {
  const models = new Map<CustomEngine, CustomModelInfo>();
  for (const { customModels } of workers)
    for (const [engine, model] of Object.entries(customModels))
      if (isCustomEngine(engine) && !models.has(engine)) models.set(engine, model);
  return [...models].sort(([a], [b]) => (a < b ? -1 : 1));
}

/** Of the slowest worker, in pixels per second, because any worker may claim the job. */
function speedOf(workers: readonly WorkerInfo[], engine: ModelEngine): number | undefined {
  const networks = workers.flatMap((worker) => worker.networks.filter((network) => network.engine === engine));
  const speeds = networks.map(({ pixelsPerSecond }) => pixelsPerSecond).filter((speed) => speed !== null);
  return speeds.length > 0 ? Math.min(...speeds) : undefined;
}

const generic: PrintProfile = { name: genericProfile, description: 'Generic CMYK' };

/** Returns the CMYK profiles that all workers have, because any of them may claim a job. */
function listCommonProfiles([first, ...others]: readonly WorkerInfo[]): PrintProfile[] {
  const isCommon = ({ name }: PrintProfile) =>
    others.every(({ printProfiles }) => printProfiles.some((profile) => profile.name === name));
  return [generic, ...(first?.printProfiles.filter(isCommon) ?? [])];
}

export const listPrintProfiles = async (ctx: Pick<OperatorContext, 'registry'>): Promise<PrintProfile[]> =>
  listCommonProfiles(await listWorkers(ctx));

/** Returns the engines of the registered workers with their last measured speeds, for planning jobs. */
export async function describeOperator(ctx: OperatorContext): Promise<Operator> {
  const { AI_ENGINE, MAX_JOB_S } = ctx.config;
  const [workers, { pausedEngines }] = await Promise.all([listWorkers(ctx), ctx.settings.read('jobs')]);
  const names = new Set(workers.flatMap((worker) => worker.engines));
  const customModels = Object.fromEntries(listCustomModels(workers));
  const custom = Object.keys(customModels).filter(isCustomEngine);
  const measured = [...aiEngines, ...custom].flatMap((engine) => {
    const speed = speedOf(workers, engine);
    return speed === undefined ? [] : [[engine, speed] as const];
  });
  return {
    autoEngine: AI_ENGINE,
    maxJobSeconds: MAX_JOB_S,
    pausedEngines,
    speed: Object.fromEntries(measured),
    customModels,
    ...(workers.length > 0 ? { printProfiles: listCommonProfiles(workers).map(({ name }) => name) } : {}),
    ...(names.size > 0 ? { enginesAvailable: [...engineNames, ...custom].filter((name) => names.has(name)) } : {}),
  };
}

/** Lists the built-in engines, and then the custom models of the workers. */
export async function describeEngines(ctx: OperatorContext): Promise<Engine[]> {
  const [workers, { pausedEngines }] = await Promise.all([listWorkers(ctx), ctx.settings.read('jobs')]);
  const describe = (name: JobEngine, says: string, custom?: CustomModelInfo): Engine => {
    const having = workers.filter((worker) => worker.engines.includes(name));
    const network = having.flatMap((worker) => worker.networks).find(({ engine }) => engine === name);
    return {
      name,
      meter: isAiEngine(name) ? 'ai' : 'standard',
      says,
      isAuto: name === ctx.config.AI_ENGINE,
      available: workers.length > 0 ? having.length > 0 : null,
      paused: pausedEngines.includes(name),
      installing: having.length === 0 && workers.some(({ installing }) => installing.includes(name)),
      device: (network && having[0]?.device) ?? null,
      variant: network?.variant ?? null,
      reason: network?.reason ?? null,
      pixelsPerSecond: isAiEngine(name) ? (speedOf(workers, name) ?? defaultSpeedOf(name, custom)) : null,
      ...(custom && { custom }),
    };
  };
  return [
    ...engineNames.map((name) => describe(name, engineDescriptions[name])),
    ...listCustomModels(workers).map(([engine, model]) => describe(engine, describeCustom(model), model)),
  ];
}

const describeCustom = ({ title, license, for: use }: CustomModelInfo) =>
  `${use === 'photos' ? 'Photos' : 'Drawings'}. Custom model: ${title}. License: ${license}.`;

const defaultSpeedOf = (engine: ModelEngine, custom: CustomModelInfo | undefined): number | null =>
  isCustomEngine(engine) ? (custom?.pixelsPerSecond ?? null) : defaultSpeeds.network[engine];
