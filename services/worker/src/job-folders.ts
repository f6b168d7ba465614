import fs from 'node:fs/promises';
import path from 'node:path';
import type { Jail } from '@uprez/runtime/jail';
import { repeat } from '@uprez/runtime/repeat';

export type JobFolders = Awaited<ReturnType<typeof openJobFolders>>;

/** `root`: JOB_DIR. `user`: the user that children run as, if it isn't the worker's user. */
type Place = { root: string; workerId: string; user: Jail['user'] };
type Options = { beatMs?: number; staleMs?: number; unmarkedMs?: number; onError: (error: unknown) => void };

/** Name of a marker file in a worker's folder. Shows that the worker touches the folder regularly. */
const mark = 'heartbeat';

const dayMs = 86_400_000;

/**
 * Opens the job folders, JOB_DIR/<worker>/<job>. Deletes the folders of workers that are no longer running. Running
 * workers touch their folder every `beatMs`, so a folder that hasn't been touched for `staleMs` is stale. Doesn't check
 * process IDs, because they are reused and workers in other containers may share JOB_DIR. Workers of earlier versions
 * neither touch nor mark their folders, so unmarked folders are kept for `unmarkedMs`.
 */
export async function openJobFolders(
  { root, workerId, user }: Place,
  { beatMs = 10_000, staleMs = 60_000, unmarkedMs = dayMs, onError }: Options,
) {
  const mine = path.join(root, workerId);
  const makeMine = async () => {
    await fs.mkdir(mine, { recursive: true, mode: 0o711 });
    await fs.writeFile(path.join(mine, mark), '');
  };
  await fs.mkdir(root, { recursive: true, mode: 0o711 });
  await makeMine();
  const findStale = makeStaleFinder({ staleMs, unmarkedMs });
  const beating = repeat(
    beatMs,
    async () => {
      await fs.utimes(mine, new Date(), new Date());
      const others = (await fs.readdir(root)).filter((name) => name !== workerId);
      for (const stale of await findStale(others.map((name) => path.join(root, name))))
        await fs.rm(stale, { recursive: true, force: true });
    },
    onError,
  );
  return {
    make: async (name: string) => {
      const dir = path.join(mine, name);
      // Creates the worker's folder again, because another worker may have deleted it while this process was suspended.
      await makeMine();
      await fs.mkdir(dir, { mode: 0o700 });
      if (user) await fs.chown(dir, user.uid, user.gid);
      return { dir, remove: () => fs.rm(dir, { recursive: true, force: true }) };
    },
    close: async () => {
      await beating.close();
      await fs.rm(mine, { recursive: true, force: true });
    },
  };
}

const exists = (file: string) =>
  fs.stat(file).then(
    () => true,
    () => false,
  );

type Seen = { modifiedMs: number; sinceMs: number; isMarked: boolean };

/**
 * Returns a function that finds stale folders. A folder is stale if its modification time hasn't changed for `staleMs`,
 * or for `unmarkedMs` without a mark. Measures the time itself instead of comparing modification times with a clock.
 * Starts over after a gap, because whatever suspended this process may have suspended other workers, too.
 */
function makeStaleFinder({ staleMs, unmarkedMs }: Required<Pick<Options, 'staleMs' | 'unmarkedMs'>>) {
  let seen = new Map<string, Seen>();
  let lastMs = performance.now();
  return async (folders: readonly string[]): Promise<string[]> => {
    const found: typeof seen = new Map();
    if (performance.now() - lastMs > staleMs / 2) seen = new Map();
    lastMs = performance.now();
    for (const folder of folders) {
      const stats = await fs.stat(folder).catch(() => undefined);
      if (!stats) continue;
      const known = seen.get(folder);
      const isSame = known?.modifiedMs === stats.mtimeMs;
      const isMarked = await exists(path.join(folder, mark));
      found.set(
        folder,
        isSame ? { ...known, isMarked } : { modifiedMs: stats.mtimeMs, sinceMs: performance.now(), isMarked },
      );
    }
    seen = found;
    const isStale = ({ sinceMs, isMarked }: Seen) => performance.now() - sinceMs > (isMarked ? staleMs : unmarkedMs);
    return [...found].filter(([, folder]) => isStale(folder)).map(([folder]) => folder);
  };
}
