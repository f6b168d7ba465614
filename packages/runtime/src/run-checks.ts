import fs from 'node:fs/promises';
import { limits } from '@uprez/contracts/policy/limits';

const checkMs = 5_000;

/** Runs all checks concurrently, each for up to 5 s. Returns `ok` or a one-line error for each check. */
export async function runChecks<Name extends string>(
  checks: Record<Name, () => Promise<unknown>>,
): Promise<Record<Name, string>> {
  const entries = Object.entries<() => Promise<unknown>>(checks).map(async ([name, check]) => {
    const late = () => new Error(`no answer within ${checkMs} ms`);
    return [name, await withTimeout(checkMs, check(), late).then(() => 'ok', reasonOf)];
  });
  return Object.fromEntries(await Promise.all(entries)) as Record<Name, string>;
}

function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  return error.cause === undefined ? (error.message.split('\n')[0] ?? 'failed') : reasonOf(error.cause);
}

/** Returns the result of `work`. After `ms`, throws the error that `late` creates, but doesn't stop `work`. */
export async function withTimeout<T>(ms: number, work: Promise<T>, late: () => Error): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const expiry = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(late()), ms);
  });
  return Promise.race([work, expiry]).finally(() => clearTimeout(timer));
}

type Resources = {
  /** Reads the number of open file descriptors of this process, and the soft limit. */
  readDescriptors: () => Promise<{ open: number; limit: number }>;
  readFreeBytes: (folder: string) => Promise<number>;
};

/** Resources of this process and machine. Descriptors are read from `/proc`, which only Linux has. */
export const systemResources: Resources = {
  readDescriptors: async () => {
    const [open, table] = await Promise.all([
      fs.readdir('/proc/self/fd'),
      fs.readFile('/proc/self/limits', { encoding: 'utf8' }),
    ]);
    const soft = /^Max open files +(\d+)/m.exec(table)?.[1];
    return { open: open.length, limit: Number(soft ?? Number.POSITIVE_INFINITY) };
  },
  readFreeBytes: async (folder) => {
    const { bavail, bsize } = await fs.statfs(folder);
    return bavail * bsize;
  },
};

/** Returns checks for `runChecks`: the file descriptors (on Linux), and the free space of each folder. */
export const makeResourceChecks = (
  folders: readonly string[],
  { readDescriptors, readFreeBytes }: Resources = systemResources,
): Record<string, () => Promise<void>> => ({
  ...(process.platform === 'linux' && {
    descriptors: async () => {
      const { open, limit } = await readDescriptors();
      if (open > limit * limits.descriptorShare) throw new Error(`${open} of ${limit} file descriptors are open`);
    },
  }),
  ...(folders.length > 0 && { disk: () => checkDisk(folders, readFreeBytes) }),
});

/** Throws if the file system of a folder is nearly full. */
export async function checkDisk(
  folders: readonly string[],
  readFreeBytes: Resources['readFreeBytes'] = systemResources.readFreeBytes,
): Promise<void> {
  for (const folder of folders) {
    const free = await readFreeBytes(folder);
    if (free < limits.freeDiskBytes) throw new Error(`${folder} has ${Math.floor(free / 1024 ** 2)} MB left`);
  }
}
