import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import readline from 'node:readline';
import { fileURLToPath } from 'node:url';
import type { MessageFromChild } from '@uprez/contracts/schemas/jobs/child-messages';
import { probeJail } from '@uprez/runtime/jail';
import {
  keepPixelChild,
  openPixelChild,
  type PixelChild,
  type PixelChildOptions,
} from '@uprez/runtime/open-pixel-child';
import { waitUntil } from '@uprez/testing/wait-until';
import { afterEach, expect, test } from 'vitest';

const fixture = (name: string) => fileURLToPath(new URL(`fixtures/${name}.mjs`, import.meta.url));
const jail = probeJail('auto');
const closing: (() => unknown)[] = [];
afterEach(async () => {
  await Promise.all(closing.splice(0).map((close) => close()));
});

type Heard = { messages: MessageFromChild[]; lines: string[] };

function makeOptions(options: Record<string, unknown>, limits: Partial<PixelChildOptions> = {}) {
  const heard: Heard = { messages: [], lines: [] };
  const all: PixelChildOptions = {
    jail,
    module: fixture('child'),
    options,
    memoryBytes: 400 * 2 ** 20,
    readyMs: 20_000,
    onMessage: (message) => heard.messages.push(message),
    onLog: (line) => heard.lines.push(line),
    ...limits,
  };
  return { all, heard };
}

async function openChild(options: Record<string, unknown>, limits: Partial<PixelChildOptions> = {}) {
  const { all, heard } = makeOptions(options, limits);
  const child = await openPixelChild(all);
  closing.push(async () => {
    child.kill('processing_crashed');
    await child.exited;
  });
  return { child, heard };
}
const say = (child: PixelChild) => child.send({ type: 'cancel', runId: 'run' });
const lives = (pid: number) => fs.existsSync(`/proc/${pid}/exe`);

test('a child reports its engines, log lines, messages, and received bytes', async () => {
  const { child, heard } = await openChild({ mode: 'report' });
  expect(child.ready).toEqual({ type: 'ready', engines: ['standard'], networks: [], device: 'cpu' });
  await waitUntil(() => heard.lines.length > 0);
  expect(heard.lines).toEqual(['started as report']);
  child.bytes.write(Buffer.alloc(300_000));
  await waitUntil(() => {
    say(child);
    return heard.messages.some((message) => 'detail' in message && message.detail === '300000 bytes');
  });
});

test('a child over its memory limit is killed with processing_memory', async () => {
  const { child } = await openChild({ mode: 'grow' }, { memoryBytes: 200 * 2 ** 20 });
  say(child);
  expect(await child.exited).toBe('processing_memory');
  expect(lives(child.pid)).toBe(false);
});

test('the memory limit of a child can be lowered, but not raised', async () => {
  const { child } = await openChild({ mode: 'grow' }, { memoryBytes: 2_000 * 2 ** 20 });
  child.limitMemory(9_000 * 2 ** 20);
  child.limitMemory(child.residentBytes() + 50 * 2 ** 20);
  say(child);
  expect(await child.exited).toBe('processing_memory');
});

test('a child that exits has the reason processing_crashed', async () => {
  const { child } = await openChild({ mode: 'exit' });
  say(child);
  expect(await child.exited).toBe('processing_crashed');
  // Not the elapsed time, which would exceed any limit.
  expect(child.cpuMs()).toBe(0);
  // Sending to an exited child is no error.
  say(child);
  child.bytes.write(Buffer.alloc(100_000));
  child.kill('processing_timeout');
});

test('a child passes its reason to listeners that were not removed, also after its end', async () => {
  const { child } = await openChild({ mode: 'idle' });
  const heard: string[] = [];
  child.onExit((code) => heard.push(`kept ${code}`));
  child.onExit((code) => heard.push(`removed ${code}`))();
  child.kill('processing_timeout');
  await child.exited;
  await new Promise<void>((resolve) => void child.onExit(() => resolve()));
  expect(heard).toEqual(['kept processing_timeout']);
});

test('a child killed from outside has the reason processing_crashed, and one killed by us the given reason', async () => {
  const [one, other] = [await openChild({ mode: 'idle' }), await openChild({ mode: 'idle' })];
  process.kill(one.child.pid, 'SIGKILL');
  expect(await one.child.exited).toBe('processing_crashed');
  other.child.kill('processing_timeout');
  expect(await other.child.exited).toBe('processing_timeout');
});

test('a child that sends invalid messages is killed as crashed', async () => {
  const { child, heard } = await openChild({ mode: 'garbage' });
  say(child);
  expect(await child.exited).toBe('processing_crashed');
  expect(heard.messages).toEqual([]);
});

test.each([
  ['ends before it is ready', { mode: 'idle', dieEarly: true }, 20_000],
  ['is never ready', { mode: 'idle', neverReady: true }, 1_000],
])('a child that %s throws an error with its module', async (_, options, readyMs) => {
  const { all } = makeOptions(options, { readyMs });
  await expect(openPixelChild(all)).rejects.toThrow(/fixtures\/child\.mjs ended before it was ready/);
});

test('a missing launcher throws an error', async () => {
  const { all } = makeOptions({ mode: 'idle' }, { jail: { kind: 'full', command: ['/no/such/unshare'] } });
  await expect(openPixelChild(all)).rejects.toThrow(/ended before it was ready/);
});

test('a failed start leaves no timer that keeps the process alive', async () => {
  const { all } = makeOptions({ mode: 'idle', dieEarly: true }, { readyMs: 500_000 });
  const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
  const before = timers();
  await expect(openPixelChild(all)).rejects.toThrow();
  expect(timers()).toBeLessThanOrEqual(before);
});

/** Processes with this argument that still run. */
const countRunning = (argument: string) =>
  fs.readdirSync('/proc').filter((name) => {
    try {
      const isZombie = /^State:\s+Z/m.test(fs.readFileSync(`/proc/${name}/status`, 'utf8'));
      return !isZombie && fs.readFileSync(`/proc/${name}/cmdline`, 'utf8') === `sleep\0${argument}\0`;
    } catch {
      return false;
    }
  }).length;

test.each(['kill', 'exit'] as const)('everything that a child started ends with its %s', async (way) => {
  const sleepS = `9${process.pid}${way === 'kill' ? 1 : 2}`;
  const { child, heard } = await openChild({ mode: 'start', sleepS });
  say(child);
  await waitUntil(() => heard.messages.length > 0 && countRunning(sleepS) === 2);
  if (way === 'kill') child.kill('processing_timeout');
  else process.kill(child.pid, 'SIGKILL');
  await child.exited;
  // Outside of a process namespace, a process can leave its group.
  await waitUntil(() => countRunning(sleepS) === (jail.hasProcesses ? 0 : 1));
});

test('the kernel kills the child first when memory runs out', async () => {
  const { child } = await openChild({ mode: 'idle' });
  expect(fs.readFileSync(`/proc/${child.pid}/oom_score_adj`, 'utf8').trim()).toBe('900');
});

test('a child exits when its parent is killed', async () => {
  const { all } = makeOptions({ mode: 'idle' });
  const parent: ChildProcess = spawn(process.execPath, [fixture('parent'), JSON.stringify(all)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  if (!parent.stdout) throw new Error('its output is a pipe');
  const [line] = (await once(readline.createInterface({ input: parent.stdout }), 'line')) as [string];
  const pid = Number(line);
  expect(lives(pid)).toBe(true);
  parent.kill('SIGKILL');
  await waitUntil(() => !lives(pid));
});

function keepChild(options: Record<string, unknown>) {
  const failures: unknown[] = [];
  const { onMessage: _, options: given, ...all } = makeOptions(options).all;
  const kept = keepPixelChild({ ...all, options: () => given, onStartFailed: (error) => failures.push(error) });
  closing.push(kept.close);
  return { kept, failures };
}

test('a kept child is replaced when it exits, and get never returns the old one', async () => {
  const { kept } = keepChild({ mode: 'idle' });
  const pids = new Set<number>();
  for (let turn = 0; turn < 4; turn += 1) {
    const child = await kept.get();
    pids.add(child.pid);
    child.kill('processing_crashed');
    // Immediately, before the exit of the process is detected.
    expect(kept.current()).toBeUndefined();
    expect((await kept.get()).pid).not.toBe(child.pid);
  }
  expect(pids.size).toBe(4);
});

test('a kept child that fails to start is retried and reported', async () => {
  const { kept, failures } = keepChild({ mode: 'idle', dieEarly: true });
  await waitUntil(() => failures.length >= 2);
  expect(kept.current()).toBeUndefined();
});

test('closing ends the kept child permanently', async () => {
  const { kept } = keepChild({ mode: 'idle' });
  const { pid } = await kept.get();
  await kept.close();
  expect(lives(pid)).toBe(false);
  expect(kept.current()).toBeUndefined();
});

test('the last listener receives the messages of a kept child', async () => {
  const { kept } = keepChild({ mode: 'report' });
  const child = await kept.get();
  const heard: string[] = [];
  kept.listen(() => heard.push('first'));
  kept.listen(() => heard.push('second'));
  say(child);
  await waitUntil(() => heard.length > 0);
  expect(heard).toEqual(['second']);
});
