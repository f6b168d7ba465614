import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import net, { type AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { probeJail } from '@uprez/runtime/jail';
import { openPixelChild } from '@uprez/runtime/open-pixel-child';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterAll, beforeAll, expect, test } from 'vitest';

type Findings = {
  connect: string;
  readSecret: string;
  writeForeign: string;
  writeSystem: string;
  becomeRoot: string;
  user: number;
  groups: number[];
  environment: string[];
  newPrivileges: string;
  signalService: string;
  makeUserNamespace: number;
  writeLarge: number;
  capabilities: string;
};

const fixture = (name: string) => new URL(`fixtures/${name}.mjs`, import.meta.url);
const jail = probeJail('auto');
const folder = fs.mkdtempSync(path.join(os.tmpdir(), 'uprez-test-jail-'));
const secretFile = path.join(folder, 'secrets.json');
let server: net.Server;
/** Writable for all users. */
const openFolder = fs.mkdtempSync(path.join(os.tmpdir(), 'uprez-test-jail-open-'));
const fileBytes = 100_000;
const canForbidNamespaces = jail.kind === 'user-namespace' && isWritable('/proc/sys/user/max_user_namespaces');
type Given = {
  port: number;
  secretFile: string;
  foreignDir: string;
  servicePid: number;
  largeFile: string;
  largeBytes: number;
};
let given: Given;

beforeAll(async () => {
  fs.writeFileSync(secretFile, 'secret', { mode: 0o600 });
  server = net.createServer((socket) => socket.end());
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  fs.chmodSync(openFolder, 0o777);
  given = {
    port: (server.address() as AddressInfo).port,
    secretFile,
    foreignDir: folder,
    servicePid: process.pid,
    largeFile: path.join(openFolder, 'large'),
    largeBytes: 2 * fileBytes,
  };
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  for (const made of [folder, openFolder]) fs.rmSync(made, { recursive: true, force: true });
});

function isWritable(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.W_OK);
    return true;
  } catch {
    return false;
  }
}

async function probeFromChild(): Promise<Findings> {
  const findings: Findings[] = [];
  const child = await openPixelChild({
    jail,
    module: fileURLToPath(fixture('child')),
    options: { mode: 'probe', ...given },
    memoryBytes: 400 * 2 ** 20,
    fileBytes,
    readyMs: 20_000,
    onMessage: (message) => {
      if (message.type === 'failed') findings.push(JSON.parse(message.detail));
    },
    onLog: () => {},
  });
  child.send({ type: 'cancel', runId: 'probe' });
  try {
    return await waitUntil(() => findings[0]);
  } finally {
    child.kill('processing_crashed');
    await child.exited;
  }
}

test('the same operations succeed in the service process', async () => {
  const { probe } = (await import(fixture('probe').href)) as { probe: (options: typeof given) => Promise<Findings> };
  const own = await probe(given);
  expect(own).toMatchObject({ connect: 'done', readSecret: 'secret', writeForeign: 'done' });
  expect(own).toMatchObject({ signalService: 'done', writeLarge: 0 });
  fs.rmSync(given.largeFile);
  expect(own.environment.length).toBeGreaterThan(2);
});

test.skipIf(jail.kind === 'none')(
  'a jailed child has no network, no environment, and cannot gain privileges',
  async () => {
    const found = await probeFromChild();
    expect(found.connect).toBe('ENETUNREACH');
    expect(found.environment).toEqual(['MALLOC_ARENA_MAX', 'ORT_DISABLE_TELEMETRY', 'PATH']);
    expect(found.newPrivileges).toBe('1');
    if (jail.hasLimits) expect(Number.parseInt(found.capabilities, 16)).toBe(0);
  },
);

test.skipIf(!jail.hasLimits)('a jailed child writes no file beyond its limit', async () => {
  const found = await probeFromChild();
  expect(found.writeLarge).not.toBe(0);
  expect(fs.statSync(given.largeFile).size).toBe(fileBytes);
  fs.rmSync(given.largeFile);
});

test.skipIf(!jail.hasProcesses)('a jailed child sends no signals to other processes', async () => {
  expect((await probeFromChild()).signalService).toBe('ESRCH');
});

test.skipIf(!canForbidNamespaces)('a jailed child makes no user namespaces', async () => {
  expect((await probeFromChild()).makeUserNamespace).not.toBe(0);
});

test.skipIf(jail.kind !== 'full')(
  'a child of a root service runs as another user and cannot read secrets or write files of the service',
  async () => {
    const found = await probeFromChild();
    expect(found).toMatchObject({
      readSecret: 'EACCES',
      writeForeign: 'EACCES',
      writeSystem: 'EACCES',
      becomeRoot: 'EPERM',
    });
    expect(found.user).toBe(jail.user?.uid);
    expect(found.user).not.toBe(0);
    expect(found.groups.filter((group) => group !== jail.user?.gid)).toEqual([]);
  },
);

test.skipIf(jail.kind === 'none')('without `prlimit`, the jail has its other layers', () => {
  const [bin, former] = [fs.mkdtempSync(path.join(os.tmpdir(), 'uprez-test-bin-')), process.env.PATH];
  for (const program of ['unshare', 'setpriv', 'true'])
    fs.symlinkSync(execFileSync('which', [program], { encoding: 'utf8' }).trim(), path.join(bin, program));
  process.env.PATH = bin;
  try {
    const { kind, command, missing } = probeJail('required');
    expect(kind).toBe(jail.kind);
    expect(command.slice(-3)).toEqual(['--', 'setpriv', '--no-new-privs']);
    expect(missing).toContain('prlimit');
  } finally {
    process.env.PATH = former;
    fs.rmSync(bin, { recursive: true });
  }
});

test('probeJail returns the kind off when the jail is disabled', () => {
  expect(probeJail('off')).toEqual({ kind: 'off', command: [] });
});
