import { availableParallelism } from 'node:os';
import { type AiEngine, aiDevices, aiEngines, engineNames } from '@uprez/contracts/policy/engines';
import { limits } from '@uprez/contracts/policy/limits';
import * as z from 'zod';
import { dropPrivileges } from '../child/drop-privileges.ts';
import { listenToParent, tellFailure, tellParent } from '../child/parent-link.ts';
import { guardedSharp } from '../decoders.ts';
import { limitRate } from './limit-rate.ts';
import { openNetworks } from './open-networks.ts';
import { runPlan } from './run-plan.ts';

/**
 * The pixel child: loads its networks, becomes an unprivileged user, then makes one result at a time in the folders it
 * is told. Started with this JSON in argv[2].
 */
const optionsSchema = z.object({
  /** Networks to load; those whose file is missing are left out of `ready`. */
  engines: z.array(z.enum(engineNames)),
  modelsDir: z.string(),
  /** What networks run on, tried in this order; then the processor. */
  devices: z.array(z.enum(aiDevices)).default(['cpu']),
  threads: z.int().positive().default(availableParallelism()),
  uid: z.int().optional(),
  gid: z.int().optional(),
});

/** Tiles become smaller before the parent would have to end this process. */
const tightBytes = 0.85 * limits.childMemoryBytes;

const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
guardedSharp.concurrency(options.threads);
const networks = await openNetworks({
  ...options,
  engines: aiEngines.filter((name) => options.engines.includes(name)),
});
const deviceOf = (engine: AiEngine) => networks[engine]?.device ?? 'cpu';
const device = aiEngines.filter((name) => name in networks).map(deviceOf)[0] ?? 'cpu';
let running: { runId: string; abort: AbortController } | undefined;

async function run(runId: string, plan: Parameters<typeof runPlan>[0]['plan'], dir: string): Promise<void> {
  const abort = new AbortController();
  running = { runId, abort };
  try {
    const onProgress = limitRate((progress) => tellParent({ type: 'progress', runId, ...progress }));
    const job = { plan, dir, networks, memoryBytes: tightBytes, signal: abort.signal, onProgress };
    const result = await runPlan(job);
    tellParent({ type: 'done', runId, result });
  } catch (error) {
    tellFailure(runId, error);
  } finally {
    running = undefined;
  }
}

listenToParent((message) => {
  if (message.type === 'cancel' && running?.runId === message.runId) running.abort.abort();
  if (message.type !== 'run') return;
  if (running) tellFailure(message.runId, new Error('a run was sent while another is going'));
  else void run(message.runId, message.plan, message.dir);
});

dropPrivileges(options);
const engines = engineNames.filter(
  (name) => options.engines.includes(name) && (name === 'standard' || name in networks),
);
const loaded = aiEngines.flatMap((engine) => {
  const network = networks[engine];
  return network
    ? [{ engine, variant: network.variant ?? 'fp32', reason: network.reason ?? 'the plain conversion' }]
    : [];
});
tellParent({ type: 'ready', engines, device, networks: loaded });
