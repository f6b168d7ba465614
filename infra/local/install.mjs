// Installs the dependencies of the lockfile, which include Node.js 24, unless they are installed already. It runs on the
// machine's Node.js at first, so it uses nothing newer than version 20.
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { acquireLock } from './lock.mjs';
import { rootDir, runProgram, runStep } from './run.mjs';

const OLDEST_NODE = [20, 20, 2];
const stampFile = join(rootDir, 'node_modules/.uprez-stamp');

async function install() {
  requireNode();
  const stamp = createHash('sha256')
    .update(readFileSync(join(rootDir, 'pnpm-lock.yaml')))
    .digest('hex');
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

function readStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
}

await runProgram(install);
