import { execFile, spawn } from 'node:child_process';
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { inheritedEnv } from '@uprez/testing/config';
import { oldestNode } from '@uprez/testing/programs/node-programs';
import { build } from 'vite';
import { parse } from 'yaml';

const source = fileURLToPath(new URL('..', import.meta.url));
const run = promisify(execFile);

type Action = {
  inputs: Record<string, { default?: string; required?: boolean }>;
  runs: { using: string; main: string };
};

/** Builds the action in a folder that contains what a release contains. */
export async function buildAction(folder: string): Promise<void> {
  for (const name of ['action.yml', 'package.json']) await cp(join(source, name), join(folder, name));
  await build({ root: source, logLevel: 'error', build: { outDir: join(folder, 'dist') } });
}

export const git = async (cwd: string, ...args: string[]) => {
  const author = ['-c', 'user.name=test', '-c', 'user.email=test@example.com'];
  return (await run('git', [...author, ...args], { cwd })).stdout.trim();
};

/** Writes files, and commits them. Returns the SHA of the commit. */
export async function commit(cwd: string, files: Record<string, Buffer | string>): Promise<string> {
  for (const [name, content] of Object.entries(files)) {
    await mkdir(dirname(join(cwd, name)), { recursive: true });
    await writeFile(join(cwd, name), content);
  }
  await git(cwd, 'add', '--all');
  await git(cwd, 'commit', '--quiet', '--message=test');
  return git(cwd, 'rev-parse', 'HEAD');
}

type Step = {
  /** Folder of the action. */
  action: string;
  workspace: string;
  tempDir: string;
  inputs: Record<string, string>;
  event?: object;
  env?: Record<string, string>;
};

/** Runs the action as a runner does. `outputs`: outputs of the step. */
export async function runStep({ action, workspace, tempDir, inputs, event = {}, env }: Step) {
  const { inputs: declared, runs } = parse(await readFile(join(action, 'action.yml'), 'utf8')) as Action;
  if (runs.using !== 'node20') throw new Error(`${runs.using} is another runtime`);
  for (const name of Object.keys(inputs)) if (!declared[name]) throw new Error(`the action has no input ${name}`);
  const values = Object.entries(declared).map(([name, { default: text = '' }]) => [
    `INPUT_${name.replaceAll(' ', '_').toUpperCase()}`,
    inputs[name] ?? text,
  ]);
  const files = { GITHUB_EVENT_PATH: 'event.json', GITHUB_OUTPUT: 'output', GITHUB_STEP_SUMMARY: 'summary.md' };
  const paths = Object.fromEntries(Object.entries(files).map(([name, file]) => [name, join(tempDir, file)]));
  await mkdir(tempDir, { recursive: true });
  await writeFile(join(tempDir, 'event.json'), JSON.stringify(event));
  for (const file of ['output', 'summary.md']) await writeFile(join(tempDir, file), '');
  const child = spawn(oldestNode, [join(action, runs.main)], {
    cwd: workspace,
    env: {
      ...{ ...inheritedEnv, ...Object.fromEntries(values), ...paths },
      ...{ GITHUB_ACTIONS: 'true', GITHUB_WORKSPACE: workspace, RUNNER_TEMP: tempDir, ...env },
    },
  });
  let log = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      log += chunk;
    });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const summary = await readFile(join(tempDir, 'summary.md'), 'utf8');
  return { code, log, summary, outputs: readOutputs(await readFile(join(tempDir, 'output'), 'utf8')) };
}

/** Reads `name<<delimiter`, lines, `delimiter`. */
function readOutputs(text: string): Record<string, string> {
  const outputs = [...text.matchAll(/^([\w-]+)<<(\S+)\n([\s\S]*?)\n\2$/gm)];
  return Object.fromEntries(outputs.map(([, name, , value]) => [name, value]));
}
