import type { Algorithm } from '@node-rs/argon2';

/**
 * argon2id parameters from OWASP's password storage cheat sheet: 19 MiB of memory, 2 passes, and a parallelism of 1.
 * Tests lower them before the first hash.
 */
export const hashCost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type HashCost = typeof hashCost;
