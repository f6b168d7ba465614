import { hashCost } from '@uprez/domain/accounts/hash-cost';

/**
 * Vitest runs this file before each integration test file. Lowers the cost of hashing, because hashing at the
 * production cost took up most of the time for sign-ups. Processes that tests start keep the production cost.
 */
Object.assign(hashCost, { memoryCost: 8, timeCost: 1 });
