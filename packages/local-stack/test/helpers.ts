import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import { removePostgresData, removeRedisData } from '../src/remove-data.ts';

export const password = 'p'.repeat(32);
export const binDir = fileURLToPath(new URL('../../../.data/redis-server', import.meta.url));
export const isRoot = process.getuid?.() === 0;

export const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}`, import.meta.url));

/** Creates a folder that every user can enter. It is removed after the test, and servers that run in it are stopped. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'uprez-local-stack-'));
  chmodSync(folder, 0o711);
  onTestFinished(async () => {
    await removePostgresData(join(folder, 'postgres'));
    await removeRedisData(join(folder, 'redis'));
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

export interface Starter {
  child: ChildProcess;
  output: { starter: number; url: string; pid: number; pids: number[] };
  kill(): Promise<void>;
}

/** Runs fixtures/starter.mjs and waits for its line. It is killed after the test. */
export async function spawnStarter(
  kind: string,
  folder: string,
  ids: { uid?: number; gid?: number } = {},
): Promise<Starter> {
  const args = [fixture('starter.mjs'), kind, folder, binDir];
  const child = spawn(process.execPath, args, { ...ids, cwd: '/', stdio: ['ignore', 'pipe', 'inherit'] });
  const kill = async () => {
    if (child.exitCode === null && child.signalCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  };
  onTestFinished(kill);
  const [line] = await Promise.race([
    once(createInterface({ input: child.stdout }), 'line'),
    once(child, 'exit').then(() => {
      throw new Error('the starter exited without output');
    }),
  ]);
  return { child, output: JSON.parse(line), kill };
}
