import type { Generated } from 'kysely';

/** A browser that a user has signed in with. `secretHash`: SHA-256 of the secret that its long-lived cookie carries. */
export type DevicesTable = {
  userId: string;
  secretHash: Buffer;
  userAgent: string | null;
  createdAt: Generated<Date>;
  lastSeenAt: Generated<Date>;
};
