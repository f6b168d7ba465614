import { spawnSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';

const packages = ['swift-proxy', 'swift-account', 'swift-container', 'swift-object', 'memcached'];
const programs = packages.map((name) => (name.startsWith('swift-') ? `${name}-server` : name));

/** Installs Swift from Debian's packages if it is missing and this process may. Throws Error with the command otherwise. */
export function installSwift() {
  const missing = programs.filter((name) => spawnSync('which', [name]).status !== 0);
  if (missing.length === 0) return;
  const command = `apt-get install --no-install-recommends ${packages.join(' ')}`;
  if (process.getuid?.() !== 0) throw new Error(`OpenStack Swift is missing. Run as root: ${command}`);
  console.log(`installing OpenStack Swift: ${packages.join(' ')}`);
  withoutStartedServices(() => {
    runApt(['update', '-qq']);
    runApt(['install', '-y', '-qq', '--no-install-recommends', ...packages]);
  });
}

const policyFile = '/usr/sbin/policy-rc.d';

/** Runs `work` while packages may not start services. Debian's packages of Swift would occupy their ports. */
function withoutStartedServices(work) {
  const isOurs = !existsSync(policyFile);
  if (isOurs) writeFileSync(policyFile, '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  try {
    work();
  } finally {
    if (isOurs) rmSync(policyFile);
  }
}

function runApt(args) {
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const { status, error, stderr } = spawnSync('apt-get', args, { env, encoding: 'utf8' });
  if (status !== 0) throw new Error(`apt-get ${args[0]} failed: ${error?.message ?? stderr}`);
}
