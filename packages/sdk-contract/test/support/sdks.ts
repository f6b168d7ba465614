import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Toolchain } from '@uprez/testing/toolchains';

export const packagesDir = fileURLToPath(new URL('../../..', import.meta.url));
const runFile = promisify(execFile);

/** Command that runs the shared cases, by SDK. */
export const sdks = {
  node: [process.execPath, 'contract/run.mjs'],
  python: ['python3', 'contract/run.py'],
  php: ['php', 'contract/run.php'],
  go: ['go', 'run', './contract'],
} as const satisfies Partial<Record<Toolchain, readonly string[]>>;
export type Sdk = keyof typeof sdks;
export const sdkNames = Object.keys(sdks) as Sdk[];
export const sdkDir = (sdk: Sdk) => path.join(packagesDir, `sdk-${sdk}`);

/** Keeps programs from writing to the checkout and from downloading. */
const isolatedEnv = (cacheDir: string) => ({
  PATH: process.env.PATH ?? '',
  HOME: cacheDir,
  GOCACHE: path.join(cacheDir, 'go'),
  GOFLAGS: '-mod=mod',
  GOPROXY: 'off',
  PYTHONDONTWRITEBYTECODE: '1',
});

type Running = { cwd?: string; env?: Record<string, string> };

/** Runs a program, by default in the package of an SDK. Returns stdout. Throws if it fails. */
export async function runIn(sdk: Sdk, command: readonly string[], { cwd, env }: Running = {}): Promise<string> {
  // Shared by all runs, so Go builds its standard library only once.
  const cacheDir = path.join(os.tmpdir(), 'uprez-sdk-cache');
  await fs.mkdir(cacheDir, { recursive: true });
  const [program = '', ...args] = command;
  const options = { cwd: cwd ?? sdkDir(sdk), env: { ...isolatedEnv(cacheDir), ...env }, maxBuffer: 16 * 1024 * 1024 };
  const { stdout } = await runFile(program, args, options);
  return stdout;
}
