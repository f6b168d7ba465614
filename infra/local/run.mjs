import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The checkout's root folder. */
export const rootDir = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

const binDir = join(rootDir, 'node_modules/.bin');
const env = { ...process.env, PATH: `${binDir}${delimiter}${process.env.PATH}`, TURBO_TELEMETRY_DISABLED: '1' };

/**
 * Runs a program in the root folder with the installed tools on PATH, its output on our terminal.
 * @returns {Promise<number>} its exit code, 1 when a signal ended it or it could not be started
 */
export function run(command, args, extraEnv = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: rootDir, env: { ...env, ...extraEnv }, stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(`${command} could not be started: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** As `run`, but keeps the output: resolves to the exit code and everything that was printed. */
export function capture(command, args) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: rootDir, env, stdio: ['ignore', 'pipe', 'pipe'] });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 1, output: `${command} could not be started: ${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

/** Runs a step of a longer command; throws when it fails. */
export async function must(label, command, args) {
  const code = await run(command, args);
  if (code !== 0) throw new Error(`${label} failed with code ${code}`);
}

/** Runs a whole command: an error is printed without its stack, and the exit code is 1. */
export async function main(command) {
  try {
    process.exitCode = await command();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
