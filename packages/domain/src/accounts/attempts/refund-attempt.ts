import type { DbOrTx } from '@uprez/db/database';
import { returnAttempts } from '@uprez/db/queries/accounts/attempts';
import { paceSubject } from './subjects.ts';

/** Take a counted guess back that was right. What others guessed stays counted: they may be at it still. */
export const refundAttempt = (db: DbOrTx, subject: string): Promise<void> =>
  returnAttempts(db, [subject, paceSubject(subject)]);
