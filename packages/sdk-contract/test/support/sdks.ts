import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { oldestNode } from '@uprez/testing/programs/node-programs';

export const packagesDir = fileURLToPath(new URL('../../..', import.meta.url));
const runFile = promisify(execFile);

/** The languages of the SDKs, with the packages in `packages/sdk-*`. */
export const sdkNames = ['node', 'python', 'php', 'go'] as const;
export type Sdk = (typeof sdkNames)[number];

/** The clients that must pass the shared cases, and the command that runs them. */
export const clients = {
  node: { sdk: 'node', command: [oldestNode, 'contract/run.mjs'] },
  python: { sdk: 'python', command: ['python3', 'contract/run.py'] },
  asyncio: { sdk: 'python', command: ['python3', 'contract/run.py', '--async'] },
  php: { sdk: 'php', command: ['php', 'contract/run.php'] },
  go: { sdk: 'go', command: ['go', 'run', './contract'] },
} as const satisfies Record<string, { sdk: Sdk; command: readonly string[] }>;
export type Client = keyof typeof clients;
export const clientNames = Object.keys(clients) as Client[];
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
