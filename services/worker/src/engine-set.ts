import {
  type AiEngine,
  type CustomEngine,
  drawingEngineByPhotoEngine,
  engineNames,
  isAiEngine,
  isCustomEngine,
  type JobEngine,
  type ModelEngine,
} from '@uprez/contracts/policy/images/engines';
import type { MessageFromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import { listPulls } from '@uprez/models/locate-model';
import { type CustomModels, watchInstalledModels } from './installed-models.ts';

type Ready = Extract<MessageFromChild, { type: 'ready' }>;
/**
 * `installing`: engines with models that are being downloaded. `networks`: the models that have been loaded so far.
 * `customModels`: the operator's models that are installed.
 */
export type SlotInfo = Ready & { installing: AiEngine[]; customModels: CustomModels };

/**
 * Creates the set of engines of a slot. The slot's child starts with the operator's engine and the engine that `auto`
 * uses for drawings. It loads other engines when a job first needs them, because the large models cost seconds and up
 * to 500 MB. Models installed later are available immediately.
 */
export function makeEngineSet({ AI_ENGINE, MODELS_DIR }: { AI_ENGINE: AiEngine; MODELS_DIR: string }) {
  const installed = watchInstalledModels(MODELS_DIR);
  const networks = new Map<ModelEngine, Ready['networks'][number]>();
  let added = new Set<ModelEngine>();
  /** Versions of the custom models that the child was started with. */
  let started = new Map<CustomEngine, string>();
  let known: Ready | undefined;
  const isCurrent = (name: ModelEngine) => !isCustomEngine(name) || started.get(name) === installed.versionOf(name);
  return {
    /**
     * Returns the engines to start the child with, and its custom models. Requests the operator's engine even if its
     * model is missing, because the child then logs an error.
     */
    start: () => {
      // `auto` uses this engine for drawings.
      const drawings = installed.list().find((name) => name === drawingEngineByPhotoEngine[AI_ENGINE]);
      const builtIn = engineNames.filter(
        (name) => !isAiEngine(name) || name === AI_ENGINE || name === drawings || added.has(name),
      );
      const custom = [...installed.listCustom()]
        .filter(([engine]) => added.has(engine))
        .map(([engine, model]) => ({ ...model, engine, path: installed.pathOf(engine) }));
      started = new Map(custom.map(({ engine }) => [engine, installed.versionOf(engine)]));
      return { engines: [...builtIn, ...started.keys()], custom };
    },
    /** Returns whether a custom model is installed, with this digest. */
    hasCustomModel: (engine: CustomEngine, sha256: string): boolean =>
      installed.listCustom().get(engine)?.sha256 === sha256,
    /** Adds an engine to load. Returns false if the child has loaded it, or if its model is not installed. */
    add: (name: JobEngine, ready: Ready): boolean => {
      if (!isAiEngine(name) || (ready.engines.includes(name) && isCurrent(name))) return false;
      if (!installed.list().includes(name)) return false;
      added.add(name);
      return true;
    },
    /** Stops offering an engine that the child couldn't load, until its model file is replaced. */
    verify: (name: JobEngine, ready: Ready): void => {
      if (!isAiEngine(name) || ready.engines.includes(name)) return;
      installed.markBroken(name);
      added.delete(name);
    },
    /** Removes the added engines before the child restarts. */
    reset: () => {
      added = new Set();
    },
    /** Clears the capabilities of a child that crashed. */
    forget: () => {
      known = undefined;
    },
    /** Describes the running child, or the previous one while it is being replaced. */
    describe: (ready: Ready | undefined): SlotInfo | undefined => {
      known = ready ?? known;
      if (!known) return undefined;
      for (const network of known.networks) networks.set(network.engine, network);
      const usable = new Set<JobEngine>([...known.engines, ...installed.list()]);
      const customModels = installed.listCustom();
      return {
        ...known,
        engines: [...engineNames.filter((name) => usable.has(name)), ...customModels.keys()],
        networks: [...networks.values()].filter(({ engine }) => !isCustomEngine(engine) || customModels.has(engine)),
        installing: listPulls(MODELS_DIR),
        customModels,
      };
    },
  };
}
