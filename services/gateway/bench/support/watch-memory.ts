import fs from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { percentile } from '@uprez/testing/bench-report';

const everyMs = 20;
const idleMs = 1_000;

/** Returns the resident memory of a process in MB (2^20 bytes). Linux only. */
function readMemory(pid: number): number {
  const status = fs.readFileSync(`/proc/${pid}/status`, 'utf8');
  return Number(/^VmRSS:\s+(\d+) kB$/m.exec(status)?.[1]) / 1024;
}

async function sample<T>(pid: number, work: () => Promise<T>): Promise<number[]> {
  const samples = [readMemory(pid)];
  const timer = setInterval(() => samples.push(readMemory(pid)), everyMs);
  try {
    await work();
  } finally {
    clearInterval(timer);
  }
  return samples;
}

export type Growth = { idle: number; peak: number; growth: number; samples: number[] };

/** Returns the resident memory of a process, MB: the median of an idle second, the samples while `work` runs, and their maximum. */
export async function watchMemory(pid: number, work: () => Promise<unknown>): Promise<Growth> {
  const idle = percentile(await sample(pid, () => delay(idleMs)));
  const samples = await sample(pid, work);
  // A run of ten minutes has too many samples for the arguments of a call.
  const peak = samples.reduce((most, one) => Math.max(most, one), 0);
  return { idle, peak, growth: peak - idle, samples };
}
