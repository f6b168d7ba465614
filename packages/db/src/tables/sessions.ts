import type { Generated } from 'kysely';

/** A signed-in device. `idHash`: SHA-256 of the secret that the cookie carries; `id`: what its owner sees. */
export type SessionsTable = {
  idHash: Buffer;
  id: Generated<string>;
  userId: string;
  createdAt: Generated<Date>;
  lastSeenAt: Generated<Date>;
  expiresAt: Date;
  userAgent: string | null;
  address: string | null;
  /** Of the device it was opened on. */
  deviceHash: Buffer | null;
};
