import { createReadStream } from 'node:fs';
import { AppError } from '@uprez/contracts/errors/app-error';
import { localModels } from '@uprez/contracts/policy/images/local-mode';
import type { LocalModel } from '@uprez/contracts/schemas/jobs/local-model';
import { locateModel, modelTimeMs } from '@uprez/models/locate-model';
import { models } from '@uprez/models/manifest';
import type { Deps } from '../../deps.ts';
import { defineHandlers } from '../../http/contract.ts';

type Installed = Omit<LocalModel, 'marksResults'> & { path: string };

/**
 * Handlers that list the models that browsers can load, and send the model files. The URL of a file contains its
 * checksum.
 */
export const localModelHandlers = ({ config }: Deps) => {
  const findInstalled = openModelFinder(config.MODELS_DIR);
  return defineHandlers({
    listLocalModels: async () => {
      const installed = await findInstalled();
      const marksResults = config.AI_MARK_ALWAYS;
      return installed.map(({ engine, url, sha256, sizeBytes }) => ({ engine, url, sha256, sizeBytes, marksResults }));
    },
    getLocalModel: async (request, reply) => {
      const model = (await findInstalled()).find(({ sha256 }) => request.params.name === `${sha256}.onnx`);
      if (!model) throw new AppError('model_not_found');
      const etag = `"${model.sha256}"`;
      reply.headers({ etag, 'cache-control': 'public, max-age=31536000, immutable' });
      if (request.headers['if-none-match'] === etag) return reply.status(304).send();
      reply.headers({ 'content-type': 'application/octet-stream', 'content-length': model.sizeBytes });
      return reply.send(createReadStream(model.path));
    },
  });
};

/** Verifies the checksum of a model again only when its file changes. */
function openModelFinder(modelsDir: string): () => Promise<Installed[]> {
  const verified = new Map<string, { timeMs: number; path: string | undefined }>();
  const verify = async (engine: (typeof localModels)[number]) => {
    const timeMs = modelTimeMs(modelsDir, engine);
    if (timeMs === undefined) return undefined;
    const known = verified.get(engine);
    if (known?.timeMs === timeMs) return known.path;
    const path = await locateModel(modelsDir, engine).catch(() => undefined);
    verified.set(engine, { timeMs, path });
    return path;
  };
  return async () => {
    const found = await Promise.all(
      localModels.map(async (engine) => {
        const path = await verify(engine);
        const { sha256, sizeBytes } = models[engine].onnx;
        return path ? [{ engine, url: `/local-models/${sha256}.onnx`, sha256, sizeBytes, path }] : [];
      }),
    );
    return found.flat();
  };
}
