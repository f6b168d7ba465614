import { execFile } from 'node:child_process';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { inheritedEnv } from '@uprez/testing/config';
import type { Toolchain } from '@uprez/testing/toolchains';
import { onTestFinished } from 'vitest';

/** How the file of a language is run. */
const commands: Record<Toolchain, readonly [string, ...string[]]> = {
  curl: ['sh'],
  node: ['node'],
  python: ['python3'],
  php: ['php'],
  go: ['go', 'run'],
};
const runFile = promisify(execFile);
const limitMs = 60_000;

export type Ran = {
  stdout: string;
  /** A file that it left behind. */
  read: (name: string) => Promise<Buffer>;
};

type Run = {
  language: Toolchain;
  file: string;
  code: string;
  given: Record<string, Uint8Array>;
  args?: readonly string[];
  input?: string;
  /** Another shell than the usual one. */
  shell?: string;
};

/** Run a program beside the given files, as a reader would who has saved it there. Throws when it fails. */
export async function runExample({ language, file, code, given, args = [], input = '', shell }: Run): Promise<Ran> {
  const cwd = await fs.mkdtemp(path.join(os.tmpdir(), `uprez-example-${language}-`));
  onTestFinished(() => fs.rm(cwd, { recursive: true }));
  for (const [name, content] of Object.entries({ ...given, [file]: code }))
    await fs.writeFile(path.join(cwd, name), content);
  const [usual, ...options] = commands[language];
  // Go keeps what it compiles in the home folder.
  const env = { ...inheritedEnv, HOME: os.homedir() };
  const running = runFile(shell ?? usual, [...options, file, ...args], { cwd, env, timeout: limitMs });
  // A program may end before it has read what it is given.
  running.child.stdin?.on('error', () => undefined).end(input);
  const { stdout } = await running;
  return { stdout, read: (name) => fs.readFile(path.join(cwd, name)) };
}
