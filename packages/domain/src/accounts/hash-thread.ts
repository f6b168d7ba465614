import os from 'node:os';
import { parentPort, workerData } from 'node:worker_threads';
import { hashSync, verifySync } from '@node-rs/argon2';
import type { HashCost } from './hash-cost.ts';

const cost = workerData as HashCost;

export type HashTask = { id: number; password: string; compared?: string | undefined };
export type HashTaskResult = { id: number; result?: string | boolean; error?: string };

// On Linux, each thread has its own priority, so this lets other work run before hashing.
os.setPriority(os.constants.priority.PRIORITY_LOW);
parentPort?.on('message', ({ id, password, compared }: HashTask) => {
  try {
    const result = compared === undefined ? hashSync(password, cost) : verifySync(compared, password, cost);
    parentPort?.postMessage({ id, result } satisfies HashTaskResult);
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies HashTaskResult);
  }
});
