import type { Generated } from 'kysely';

/** A link in a mail that may be followed once. `email`: the address it was sent to, or that it proves. */
export type AccountTokensTable = {
  tokenHash: Buffer;
  userId: string;
  kind: 'verify' | 'reset' | 'change_email';
  email: string;
  createdAt: Generated<Date>;
  expiresAt: Date;
};
