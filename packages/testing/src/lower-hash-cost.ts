import { hashCost } from '@uprez/domain/accounts/hash-cost';

/**
 * Vitest runs this before each file of integration tests, because hashing at the production cost took most of the time
 * of sign-ups. Processes that tests start keep the production cost.
 */
Object.assign(hashCost, { memoryCost: 8, timeCost: 1 });
