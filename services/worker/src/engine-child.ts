import { createRequire } from 'node:module';
import type { EngineName } from '@uprez/contracts/policy/engines';
import { limits } from '@uprez/contracts/policy/limits';
import { keepPixelChild, type PixelChild } from '@uprez/runtime/open-pixel-child';
import { threadsPerSlot } from '@uprez/runtime/settings';
import type { Deps } from './deps.ts';
import { makeEngineSet } from './engine-set.ts';

const module = createRequire(import.meta.url).resolve('@uprez/imaging/engine/child');
const readyMs = 120_000;

export type EngineChildDeps = Pick<Deps, 'config' | 'jail' | 'log' | 'jobMetrics'>;

/** Keep one warm engine child. It is replaced when it dies, to load another model, and by `recycle`. */
export function openEngineChild({ config, jail, log, jobMetrics }: EngineChildDeps) {
  const { MODELS_DIR: modelsDir, AI_DEVICE: devices } = config;
  const threads = threadsPerSlot(config.WORKER_CONCURRENCY);
  const engines = makeEngineSet(config);
  let isReplaced = false;
  const child = keepPixelChild({
    ...{ jail, module, readyMs, memoryBytes: limits.childMemoryBytes },
    options: () => ({ engines: engines.toLoad(), modelsDir, threads, devices }),
    onLog: (line) => log.warn({ line }, 'engine child wrote to stderr'),
    onExit: (code) => {
      jobMetrics.childExits.add(isReplaced ? 'recycled' : code);
      if (!isReplaced) engines.forget();
      isReplaced = false;
    },
    onStartFailed: (error) => {
      engines.forget();
      log.error({ err: error }, 'engine child failed to start');
    },
  });
  const replace = (open: PixelChild) => {
    isReplaced = true;
    open.kill('processing_crashed');
  };
  return {
    listen: child.listen,
    close: child.close,
    info: () => engines.describe(child.current()?.ready),
    /** Resolves when the child can run a plan. */
    ready: async () => void (await child.get()),
    /** Returns the child once it has loaded the models of these engines that are installed. */
    getWith: async (names: readonly EngineName[]): Promise<PixelChild> => {
      const open = await child.get();
      const missing = names.filter((name) => engines.add(name, open.ready));
      if (missing.length === 0) return open;
      replace(open);
      const next = await child.get();
      for (const name of missing) engines.verify(name, next.ready);
      return next;
    },
    /** Restarts the process, which bounds leaks of native code and unloads models that few jobs need. */
    recycle: (open: PixelChild) => {
      engines.reset();
      replace(open);
    },
  };
}
