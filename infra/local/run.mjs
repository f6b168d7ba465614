import { spawn } from 'node:child_process';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The root folder of the repository. */
export const rootDir = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');

/** What the lockfile installs as a package, for everything but the installation. */
const NODE_VERSION = 24;

/** Its programs come first in PATH: one of them is `node`. */
const binDir = join(rootDir, 'node_modules/.bin');
const env = { ...process.env, PATH: `${binDir}${delimiter}${process.env.PATH}`, TURBO_TELEMETRY_DISABLED: '1' };

/**
 * Runs a program in the root folder with the installed tools on PATH. Its output goes to the terminal.
 * @returns {Promise<number>} its exit code; 1 when it did not start or a signal ended it
 */
export function run(command, args, extraEnv = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, { cwd: rootDir, env: { ...env, ...extraEnv }, stdio: 'inherit' });
    child.on('error', (error) => {
      console.error(`${command} did not start: ${error.message}`);
      resolve(1);
    });
    child.on('close', (code) => resolve(code ?? 1));
  });
}

/** Runs a program as `run` does, and returns its exit code and output. */
export function capture(command, args, extraEnv = {}) {
  return new Promise((resolve) => {
    const child = spawn(command, args, {
      cwd: rootDir,
      env: { ...env, ...extraEnv },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    const chunks = [];
    child.stdout.on('data', (chunk) => chunks.push(chunk));
    child.stderr.on('data', (chunk) => chunks.push(chunk));
    child.on('error', (error) => resolve({ code: 1, output: `${command} did not start: ${error.message}` }));
    child.on('close', (code) => resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() }));
  });
}

/** Runs a step of a command. Throws when it fails. */
export async function runStep(label, command, args) {
  const code = await run(command, args);
  if (code !== 0) throw new Error(`${label} failed with code ${code}`);
}

/** Runs a command, on Node.js 24 only. Prints errors without their stack and sets the exit code. */
export const main = (command) =>
  runProgram(() => {
    if (process.versions.node.startsWith(`${NODE_VERSION}.`)) return command();
    throw new Error(
      `Node.js ${NODE_VERSION} is required, this is ${process.versions.node}. Use npm or infra/local/node, which run it.`,
    );
  });

/** Runs a command as `main` does, on any version of Node.js. */
export async function runProgram(command) {
  try {
    process.exitCode = await command();
  } catch (error) {
    console.error(error.message);
    process.exitCode = 1;
  }
}
