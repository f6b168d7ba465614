import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { inheritedEnv } from '@uprez/testing/config';
import { oldestNode } from '@uprez/testing/programs/node-programs';

const program = fileURLToPath(new URL('../../bin/uprez.js', import.meta.url));

export type Ran = { code: number | null; out: string; err: string };
export type Running = { ended: Promise<Ran>; kill: (signal: NodeJS.Signals) => void; output: () => string };
/** `node`: the Node.js that runs it. */
export type CliOptions = { cwd: string; env?: Record<string, string>; input?: string; node?: string };

/** Starts the command as a process. */
export function startCli(args: string[], { cwd, env, input = '', node = oldestNode }: CliOptions): Running {
  const child = spawn(node, [program, ...args], { cwd, env: { ...inheritedEnv, HOME: cwd, ...env } });
  let out = '';
  let err = '';
  child.stdout.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr.on('data', (chunk) => {
    err += chunk;
  });
  child.stdin.end(input);
  return {
    ended: new Promise((resolve) => child.once('close', (code) => resolve({ code, out, err }))),
    kill: (signal) => child.kill(signal),
    output: () => out + err,
  };
}

export const runCli = (args: string[], options: CliOptions): Promise<Ran> => startCli(args, options).ended;
