import {
  type AiEngine,
  drawingEngineByPhotoEngine,
  type EngineName,
  engineNames,
  isAiEngine,
} from '@uprez/contracts/policy/images/engines';
import type { MessageFromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import { listModels, listPulls, modelTimeMs } from '@uprez/models/locate-model';

type Ready = Extract<MessageFromChild, { type: 'ready' }>;
/** `installing`: engines with models that are being downloaded. `networks`: the models that have been loaded so far. */
export type SlotInfo = Ready & { installing: AiEngine[] };

/**
 * Creates the set of engines of a slot. The slot's child starts with the operator's engine and the engine that `auto`
 * uses for drawings. It loads other engines when a job first needs them, because the large models cost seconds and up
 * to 500 MB. Models installed later are available immediately.
 */
export function makeEngineSet({ AI_ENGINE, MODELS_DIR }: { AI_ENGINE: AiEngine; MODELS_DIR: string }) {
  const networks = new Map<AiEngine, Ready['networks'][number]>();
  /** Engines that the child couldn't load, with the modification times of their model files. */
  const broken = new Map<AiEngine, number | undefined>();
  let added = new Set<AiEngine>();
  let known: Ready | undefined;
  const isBroken = (engine: AiEngine) => broken.has(engine) && broken.get(engine) === modelTimeMs(MODELS_DIR, engine);
  const installed = () => listModels(MODELS_DIR).filter((engine) => !isBroken(engine));
  return {
    // Requests the operator's engine even if its model is missing, because the child then logs an error.
    toLoad: () => {
      // `auto` uses this engine for drawings.
      const drawings = installed().find((name) => name === drawingEngineByPhotoEngine[AI_ENGINE]);
      return engineNames.filter(
        (name) => !isAiEngine(name) || name === AI_ENGINE || name === drawings || added.has(name),
      );
    },
    /** Adds an engine to load. Returns false if the child has loaded it, or if its model is not installed. */
    add: (name: EngineName, ready: Ready): boolean => {
      if (!isAiEngine(name) || ready.engines.includes(name) || !installed().includes(name)) return false;
      added.add(name);
      return true;
    },
    /** Stops offering an engine that the child couldn't load, until its model file is replaced. */
    verify: (name: EngineName, ready: Ready): void => {
      if (!isAiEngine(name) || ready.engines.includes(name)) return;
      broken.set(name, modelTimeMs(MODELS_DIR, name));
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
      const usable = new Set<EngineName>([...known.engines, ...installed()]);
      return {
        ...known,
        engines: engineNames.filter((name) => usable.has(name)),
        networks: [...networks.values()],
        installing: listPulls(MODELS_DIR),
      };
    },
  };
}
