import type { Algorithm } from '@node-rs/argon2';

/** argon2id parameters from the OWASP cheat sheet: 19 MiB, 2 passes, parallelism 1. Tests lower them before the first hash. */
export const hashCost = { algorithm: 2 satisfies Algorithm.Argon2id, memoryCost: 19_456, timeCost: 2, parallelism: 1 };

export type HashCost = typeof hashCost;
