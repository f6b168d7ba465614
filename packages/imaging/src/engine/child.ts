import { availableParallelism } from 'node:os';
import { aiDevices, aiEngines, isAiEngine } from '@uprez/contracts/policy/images/engines';
import { limits } from '@uprez/contracts/policy/limits';
import { jobEngineSchema } from '@uprez/contracts/recipe/engine-schemas';
import type { MessageToChild } from '@uprez/contracts/schemas/jobs/child-messages';
import * as z from 'zod';
import { dropPrivileges, onParentMessage, sendFailure, sendToParent } from '../child/parent-link.ts';
import { guardedSharp } from '../decoders.ts';
import { isJxlReadable, keepJxlWorker } from './jxl/open-jxl-worker.ts';
import { openNetworks } from './open-networks.ts';
import { runPipeline } from './run-pipeline.ts';
import { type EngineJob, throttleProgress } from './stages.ts';
import { customNetworkSchema, openCustomNetworks, readCustomModels } from './upscaler/custom-network.ts';

/** Options of the engine child, passed in argv[2]. The child runs one pipeline at a time. */
const optionsSchema = z.object({
  /** Engines without a model file are missing from the `ready` message. */
  engines: z.array(jobEngineSchema),
  modelsDir: z.string(),
  /** Devices to run models on, in order of preference. The CPU is the fallback. */
  devices: z.array(z.enum(aiDevices)).default(['cpu']),
  threads: z.int().positive().default(availableParallelism()),
  /** Custom models to load. */
  custom: z.array(customNetworkSchema).default([]),
  marksAlways: z.boolean().default(true),
  uid: z.int().optional(),
  gid: z.int().optional(),
});

/**
 * Share of the memory limit above which tiles become smaller. The parent kills this process if it reaches the limit.
 */
const softShare = 0.85;

type RunMessage = Extract<MessageToChild, { type: 'run' }>;

const options = optionsSchema.parse(JSON.parse(process.argv[2] ?? '{}'));
guardedSharp.concurrency(options.threads);
const builtIn = await openNetworks({
  ...options,
  engines: aiEngines.filter((name) => options.engines.includes(name)),
});
const customModels = await readCustomModels(options.custom);
const device = Object.values(builtIn)[0]?.device ?? 'cpu';
let currentRun: { runId: string; abort: AbortController } | undefined;

async function run({
  runId,
  pipeline,
  dir,
  maxSeconds,
  memoryBytes = limits.childMemoryBytes,
}: RunMessage): Promise<void> {
  const abort = new AbortController();
  currentRun = { runId, abort };
  try {
    const onProgress = throttleProgress((progress) => sendToParent({ type: 'progress', runId, ...progress }));
    const soft = softShare * memoryBytes;
    const runLimits = { maxSeconds, memoryBytes: soft };
    const { marksAlways } = options;
    const job = { pipeline, dir, networks, marksAlways, ...runLimits, signal: abort.signal, onProgress };
    const result = await runPipeline(job);
    sendToParent({ type: 'done', runId, result });
  } catch (error) {
    sendFailure(runId, error);
  } finally {
    currentRun = undefined;
  }
}

function handleMessage(message: MessageToChild): void {
  if (message.type === 'cancel' && currentRun?.runId === message.runId) currentRun.abort.abort();
  if (message.type !== 'run') return;
  if (currentRun) sendFailure(message.runId, new Error('another run is in progress'));
  else void run(message);
}

// Aborts if a run is in progress, because `process.exit` crashes while a thread runs a model. SIGKILL wouldn't work,
// because PID 1 of a PID namespace ignores a SIGKILL from itself.
onParentMessage(handleMessage, () => (currentRun ? process.abort() : process.exit(0)));

if (options.uid !== undefined && !isJxlReadable()) await keepJxlWorker(options.threads);
dropPrivileges(options);
const networks: EngineJob['networks'] = {
  ...builtIn,
  ...(await openCustomNetworks(customModels, options.threads)),
};
const engines = options.engines.filter((name) => !isAiEngine(name) || name in networks);
const loadedNetworks = engines.filter(isAiEngine).map((engine) => {
  const { variant = 'fp32', reason = 'FP32 model' } = networks[engine] ?? {};
  return { engine, variant, reason };
});
sendToParent({ type: 'ready', engines, device, networks: loadedNetworks });
