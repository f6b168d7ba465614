import os from 'node:os';
import { parentPort } from 'node:worker_threads';
import { type Algorithm, hashSync, verifySync } from '@node-rs/argon2';

/** argon2id at the OWASP cheat sheet's figures: 19 MiB, 2 passes, 1 lane. */
const cost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type HashTask = { id: number; password: string; compared?: string | undefined };
export type HashDone = { id: number; result?: string | boolean; error?: string };

// Linux threads have their own priority: hashing yields to other work.
os.setPriority(os.constants.priority.PRIORITY_LOW);
parentPort?.on('message', ({ id, password, compared }: HashTask) => {
  try {
    const result = compared === undefined ? hashSync(password, cost) : verifySync(compared, password, cost);
    parentPort?.postMessage({ id, result } satisfies HashDone);
  } catch (error) {
    parentPort?.postMessage({ id, error: String(error) } satisfies HashDone);
  }
});
