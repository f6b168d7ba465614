import fs from 'node:fs/promises';
import path from 'node:path';
import type { Jail } from '@uprez/runtime/jail';

export type JobFolders = Awaited<ReturnType<typeof openJobFolders>>;

/** Whether the process of a worker ID (`host-pid-random`) is running. */
function isRunning(workerId: string): boolean {
  const pid = Number(workerId.split('-').at(-2));
  try {
    process.kill(pid, 0);
    return pid !== process.pid;
  } catch {
    return false;
  }
}

/** Open the folders of jobs, JOB_DIR/<worker>/<job>, and delete those of workers that no longer run. */
export async function openJobFolders(root: string, workerId: string, user: Jail['user']) {
  await fs.mkdir(root, { recursive: true, mode: 0o711 });
  for (const name of await fs.readdir(root)) {
    if (!isRunning(name)) await fs.rm(path.join(root, name), { recursive: true, force: true });
  }
  const mine = path.join(root, workerId);
  await fs.mkdir(mine, { mode: 0o711 });
  return {
    make: async (name: string) => {
      const dir = path.join(mine, name);
      await fs.mkdir(dir, { mode: 0o700 });
      if (user) await fs.chown(dir, user.uid, user.gid);
      return { dir, remove: () => fs.rm(dir, { recursive: true, force: true }) };
    },
    close: () => fs.rm(mine, { recursive: true, force: true }),
  };
}
