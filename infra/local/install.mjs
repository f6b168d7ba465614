import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireLock } from './lock.mjs';
import { rootDir, runStep } from './run.mjs';

const OLDEST_NODE = [20, 20, 2];
const stampFile = join(rootDir, 'node_modules/.uprez-stamp');

/** Installs the dependencies of the lockfile unless they are installed already. Throws when the installation fails. */
export async function install() {
  requireNode();
  const stamp = makeStamp();
  if (readStamp() === stamp) return;
  const release = await waitForLock();
  try {
    if (readStamp() === stamp) return;
    const { version } = JSON.parse(readFileSync(join(rootDir, 'package.json'), 'utf8')).devEngines.packageManager;
    console.log(`installing dependencies with pnpm ${version}`);
    await runStep('the installation', 'npx', ['--yes', `pnpm@${version}`, 'install', '--frozen-lockfile']);
    writeFileSync(stampFile, stamp);
  } finally {
    release();
  }
}

/**
 * Builds packages from their sources; what has not changed comes from turbo's cache.
 * @param {string[] | 'all'} filters names of packages, as turbo's `--filter` takes them; an empty list builds nothing
 */
export async function build(filters = 'all') {
  if (filters.length === 0) return;
  const selection = filters === 'all' ? [] : filters.map((filter) => `--filter=${filter}`);
  await runStep('the build', 'turbo', [
    'run',
    'build',
    ...selection,
    '--output-logs=errors-only',
    '--log-order=grouped',
  ]);
}

function requireNode() {
  const actual = process.versions.node.split('.').map(Number);
  const index = OLDEST_NODE.findIndex((part, at) => part !== actual[at]);
  if (index === -1 || actual[index] > OLDEST_NODE[index]) return;
  throw new Error(`Node.js ${OLDEST_NODE.join('.')} or newer is required, this is ${process.versions.node}`);
}

/** Waits while another command installs in this checkout. */
async function waitForLock() {
  for (let isPrinted = false; ; isPrinted = true) {
    const { holder, release } = acquireLock(join(rootDir, '.data/install.lock'));
    if (release) return release;
    if (!isPrinted) console.log(`waiting for process ${holder}, which is installing`);
    await delay(500);
  }
}

/** Native modules depend on the ABI of Node.js, so another ABI needs another installation. */
function makeStamp() {
  const lockfile = readFileSync(join(rootDir, 'pnpm-lock.yaml'));
  return createHash('sha256').update(lockfile).update(process.versions.modules).digest('hex');
}

function readStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
}
