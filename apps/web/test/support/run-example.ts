import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnv } from '@uprez/testing/config';
import { oldestNode } from '@uprez/testing/programs/node-programs';
import type { Toolchain } from '@uprez/testing/programs/toolchains';
import { onTestFinished } from 'vitest';

const commands: Record<Toolchain, readonly [string, ...string[]]> = {
  curl: ['sh'],
  node: [oldestNode],
  python: ['python3'],
  php: ['php'],
  go: ['go', 'run'],
};
const runFile = promisify(execFile);
const limitMs = 60_000;

export type ExampleRun = {
  stdout: string;
  /** Exists until the test ends. Errors have this property, too. */
  folder: string;
  /** Returns a file that the program wrote. */
  read: (name: string) => Promise<Buffer>;
};

type Run = {
  language: Toolchain;
  file: string;
  code: string;
  given: Record<string, Uint8Array>;
  args?: readonly string[];
  input?: string;
  shell?: string;
};

/** Runs a program in a folder with the given files. @throws When it fails. */
export async function runExample({
  language,
  file,
  code,
  given,
  args = [],
  input = '',
  shell,
}: Run): Promise<ExampleRun> {
  const cwd = await fs.mkdtemp(path.join(os.tmpdir(), `uprez-example-${language}-`));
  onTestFinished(() => fs.rm(cwd, { recursive: true }));
  for (const [name, content] of Object.entries({ ...given, [file]: code }))
    await fs.writeFile(path.join(cwd, name), content);
  const [usual, ...options] = commands[language];
  // Go caches compiled packages in the home folder.
  const env = { ...inheritedEnv, HOME: os.homedir() };
  const running = runFile(shell ?? usual, [...options, file, ...args], { cwd, env, timeout: limitMs });
  // Ignores write errors, because a program may end before it reads its input.
  running.child.stdin?.on('error', () => undefined).end(input);
  const { stdout } = await running.catch((error: unknown) => {
    throw Object.assign(error as Error, { folder: cwd });
  });
  return { stdout, folder: cwd, read: (name) => fs.readFile(path.join(cwd, name)) };
}
