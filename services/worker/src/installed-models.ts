import {
  type AiEngine,
  type CustomEngine,
  isCustomEngine,
  type ModelEngine,
  nameCustomEngine,
  nameCustomModel,
} from '@uprez/contracts/policy/images/engines';
import {
  type CustomModel,
  customModelPath,
  customModelTimeMs,
  listCustomModels,
} from '@uprez/models/custom/custom-model';
import { listModels, modelTimeMs } from '@uprez/models/locate-model';

export type CustomModels = ReadonlyMap<CustomEngine, CustomModel>;

/** Lists the models in `modelsDir`. Reads the folder on each call, so models can be added and removed at any time. */
export function watchInstalledModels(modelsDir: string) {
  /** Engines whose models can't be loaded, with the versions of their files. */
  const broken = new Map<ModelEngine, string>();
  const customVersionOf = (name: string, model: CustomModel | undefined): string =>
    `${model?.sha256} ${customModelTimeMs(modelsDir, name)}`;
  const versionOf = (engine: ModelEngine): string => {
    if (!isCustomEngine(engine)) return String(modelTimeMs(modelsDir, engine));
    const name = nameCustomModel(engine);
    return customVersionOf(name, listCustomModels(modelsDir).get(name));
  };
  const isUsable = (engine: AiEngine) => broken.get(engine) !== versionOf(engine);
  const listCustom = (): CustomModels =>
    new Map(
      [...listCustomModels(modelsDir)]
        .filter(([name, model]) => broken.get(nameCustomEngine(name)) !== customVersionOf(name, model))
        .map(([name, model]) => [nameCustomEngine(name), model]),
    );
  return {
    /** Returns a text that changes when the file of a model is replaced. */
    versionOf,
    /** Returns the operator's models by engine. */
    listCustom,
    /** Lists the engines with an installed model. */
    list: (): ModelEngine[] => [...listModels(modelsDir).filter(isUsable), ...listCustom().keys()],
    pathOf: (engine: CustomEngine): string => customModelPath(modelsDir, nameCustomModel(engine)),
    /** Leaves out a model until its file is replaced. */
    markBroken: (engine: ModelEngine): void => void broken.set(engine, versionOf(engine)),
  };
}
