import { drawingEngines } from '@uprez/contracts/policy/images/auto-choice';
import { type AiEngine, type EngineName, engineNames, isAiEngine } from '@uprez/contracts/policy/images/engines';
import type { FromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import { listModels, listPulls, modelTimeMs } from '@uprez/models/locate-model';

type Ready = Extract<FromChild, { type: 'ready' }>;
/** `installing`: engines whose models are being downloaded. `networks`: the models that have been loaded so far. */
export type SlotInfo = Ready & { installing: AiEngine[] };

/**
 * The engines of a slot. Its child loads the operator's engine at its start with the one that `auto` runs for drawings, and each
 * other engine when a job first needs it, because the large models cost seconds and up to 500 MB. Models that are installed later
 * count at once.
 */
export function makeEngineSet({ AI_ENGINE, MODELS_DIR }: { AI_ENGINE: AiEngine; MODELS_DIR: string }) {
  const networks = new Map<AiEngine, Ready['networks'][number]>();
  /** Engines that the child could not load, and when their files were written. */
  const broken = new Map<AiEngine, number | undefined>();
  let added = new Set<AiEngine>();
  let known: Ready | undefined;
  const isBroken = (engine: AiEngine) => broken.has(engine) && broken.get(engine) === modelTimeMs(MODELS_DIR, engine);
  const installed = () => listModels(MODELS_DIR).filter((engine) => !isBroken(engine));
  return {
    // The operator's engine is requested even when its model is missing, so that the child logs an error.
    toLoad: () => {
      // `auto` runs it for drawings.
      const drawings = installed().find((name) => name === drawingEngines[AI_ENGINE]);
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
    /** Stops offering an engine that the child could not load, until its file is replaced. */
    verify: (name: EngineName, ready: Ready): void => {
      if (!isAiEngine(name) || ready.engines.includes(name)) return;
      broken.set(name, modelTimeMs(MODELS_DIR, name));
      added.delete(name);
    },
    /** Forgets the added engines, for a child that starts again. */
    reset: () => {
      added = new Set();
    },
    /** Forgets the capabilities of a child that crashed. */
    forget: () => {
      known = undefined;
    },
    /** Describes the running child, or the last one while it is replaced. */
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
