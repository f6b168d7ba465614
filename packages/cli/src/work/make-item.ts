import type { Uprez } from '@uprez/sdk-node';
import type { Folder } from '../files/open-folder.ts';
import type { Work } from '../read-arguments.ts';
import { findDone, possibleEndings, refuseExisting } from './find-done.ts';
import { makeByApi } from './make-by-api.ts';
import { localFormat, makeHere } from './make-here.ts';
import type { Maker } from './outcome.ts';

/** Who makes images: the service, or a program on this machine. */
export type Engine = { client: Uprez } | { program: string };
export type Making = { engine: Engine; folder: Folder; work: Work; signal: AbortSignal };

/** How one image of a run is made, unless that was done before. */
export function makeMaker({ engine, folder, work, signal }: Making): Maker {
  const { fields, force } = work;
  const endings = possibleEndings('program' in engine ? localFormat(fields) : fields.format);
  return async (item, onProgress) => {
    const done = force ? undefined : await findDone(folder, item);
    if (done) return done;
    if (!force) await refuseExisting(folder, item, endings);
    const making = { folder, fields, force, signal };
    if ('program' in engine) return makeHere({ ...making, ...engine }, item);
    return makeByApi({ ...making, ...engine }, item, onProgress);
  };
}

/** All that changes what is made of an image. */
export const settingsOf = (work: Work, place: object): object => ({
  fields: Object.fromEntries(Object.entries(work.fields).sort()),
  local: work.local,
  ...place,
});
