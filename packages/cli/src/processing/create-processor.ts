import type { Uprez } from '@uprez/sdk-node';
import type { OutputFolder } from '../files/open-output-folder.ts';
import type { RunOptions } from '../parse-arguments.ts';
import { findResult, possibleExtensions, rejectExisting } from './find-result.ts';
import type { ProcessItem } from './outcome.ts';
import { localFormat, processLocally } from './process-locally.ts';
import { processWithApi } from './process-with-api.ts';

export type Engine = { client: Uprez } | { program: string };
type ProcessorOptions = { engine: Engine; folder: OutputFolder; options: RunOptions; signal: AbortSignal };

/** Creates the function that processes one image, or skips it if it is done. */
export function createProcessor({ engine, folder, options, signal }: ProcessorOptions): ProcessItem {
  const { fields, force } = options;
  const extensions = possibleExtensions('program' in engine ? localFormat(fields) : fields.format);
  return async (item, onProgress) => {
    const done = force ? undefined : await findResult(folder, item);
    if (done) return done;
    if (!force) await rejectExisting(folder, item, extensions);
    const shared = { folder, fields, force, signal };
    if ('program' in engine) return processLocally({ ...shared, ...engine }, item);
    return processWithApi({ ...shared, ...engine }, item, onProgress);
  };
}
