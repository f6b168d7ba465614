import { hashCost } from '@uprez/domain/accounts/hash-cost';

/**
 * Vitest runs this before each file of integration tests: hashes at the cost of production took most of the time of sign-ups.
 * Processes that tests start keep that cost.
 */
Object.assign(hashCost, { memoryCost: 8, timeCost: 1 });
