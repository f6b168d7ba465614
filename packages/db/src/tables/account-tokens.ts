import type { Generated } from 'kysely';

/** A link in a mail that may be followed once. `email`: the address it was sent to, or that it proves. */
export type AccountTokensTable = {
  token_hash: Buffer;
  user_id: string;
  kind: 'verify' | 'reset' | 'change_email';
  email: string;
  created_at: Generated<Date>;
  expires_at: Date;
};
