import { spawn, spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { makeProxyConf, makeStoreConf, makeSwiftConf, ringProgram, storeNames } from './swift-config.mjs';

const START_TIMEOUT_MS = 120_000;
const MAX_OUTPUT = 4_000;

/**
 * Starts OpenStack Swift on free loopback ports and in a new folder. It speaks S3 and checks signatures.
 * @returns {Promise<{ endpoint: string, owner: Key, stranger: Key, close: () => Promise<void> }>} `stranger` may do nothing
 * @typedef {{ id: string, secret: string }} Key
 */
export async function startSwift() {
  const folder = mkdtempSync(join(tmpdir(), 'uprez-swift-'));
  const names = ['cache', ...storeNames, 'proxy'];
  const ports = await findFreePorts(names);
  const { username: user } = userInfo();
  const [owner, stranger] = ['owner', 'stranger'].map((name) => ({ id: `uprez:${name}`, secret: randomSecret() }));
  const servers = [];
  const close = async () => {
    await Promise.all(servers.map((server) => server.end()));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    writeSwiftFolder({ folder, ports, user, owner, stranger });
    for (const name of names) servers.push(startServer(name, commandOf(name, { folder, port: ports[name], user })));
    await Promise.all(servers.map((server) => waitForListener(ports[server.name], server)));
    return { endpoint: `http://127.0.0.1:${ports.proxy}`, owner, stranger, close };
  } catch (error) {
    await close();
    throw error;
  }
}

/** Writes what the servers read from `folder`. Throws Error if its file system lacks extended attributes. */
function writeSwiftFolder({ folder, ports, user, owner, stranger }) {
  mkdirSync(join(folder, 'devices/d1'), { recursive: true });
  runPython(
    `${folder} has no extended attributes, in which Swift stores metadata. Set TMPDIR to a folder of another file system`,
    [attributeProgram, folder],
  );
  const write = (name, text) => writeFileSync(join(folder, name), `${text}\n`);
  write('swift.conf', makeSwiftConf());
  const cachePort = ports.cache;
  write('proxy.conf', makeProxyConf({ folder, port: ports.proxy, cachePort, user, owner, stranger }));
  for (const name of storeNames) write(`${name}.conf`, makeStoreConf(name, { folder, port: ports[name], user }));
  runPython('writing the rings failed', [ringProgram, folder, ...storeNames.map((name) => `${name}=${ports[name]}`)]);
}

const attributeProgram = `import os, sys; os.setxattr(sys.argv[1], 'user.uprez', b'1')`;

/** Runs a program with the Python of Debian, which has Swift's packages. Another one may be first in PATH. */
function runPython(failure, [program, ...args]) {
  const { status, stderr } = spawnSync('/usr/bin/python3', ['-c', program, ...args], { encoding: 'utf8' });
  if (status !== 0) throw new Error(`${failure}:\n${stderr}`);
}

const randomSecret = () => randomBytes(20).toString('hex');

/** Returns a program with its arguments. */
const commandOf = (name, { folder, port, user }) =>
  name === 'cache'
    ? ['memcached', '-l', '127.0.0.1', '-p', String(port), '-u', user]
    : [`swift-${name}-server`, join(folder, `${name}.conf`), '--verbose'];

function startServer(name, [program, ...args]) {
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'] });
  const exited = once(child, 'exit').catch((error) => [error]);
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output = (output + chunk).slice(-MAX_OUTPUT);
    });
  }
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  return {
    name,
    hasEnded,
    describe: () => `${program} ${hasEnded() ? 'ended' : 'does not listen'}:\n${output}`,
    end: async () => {
      if (!child.pid || hasEnded()) return;
      child.kill('SIGTERM');
      await exited;
    },
  };
}

async function waitForListener(port, server) {
  const deadline = Date.now() + START_TIMEOUT_MS;
  while (!(await isListening(port))) {
    if (server.hasEnded() || Date.now() > deadline) throw new Error(server.describe());
    await delay(100);
  }
}

async function isListening(port) {
  const socket = connect(port, '127.0.0.1');
  try {
    await once(socket, 'connect');
    return true;
  } catch {
    return false;
  } finally {
    socket.destroy();
  }
}

/** Finds a free port for each name. They are held until all are found, so they differ. */
async function findFreePorts(names) {
  const holders = names.map(() => createServer().listen(0, '127.0.0.1'));
  await Promise.all(holders.map((holder) => once(holder, 'listening')));
  const ports = holders.map((holder) => holder.address().port);
  await Promise.all(holders.map((holder) => once(holder.close(), 'close')));
  return Object.fromEntries(names.map((name, at) => [name, ports[at]]));
}
