import type { DbOrTx } from '@uprez/db/database';
import { giveBackAttempt } from '@uprez/db/queries/accounts/attempts';
import { paceSubject } from './subjects.ts';

/** Take a counted guess back that was right. What others guessed stays counted: they may be at it still. */
export const giveBackGuess = (db: DbOrTx, subject: string): Promise<void> =>
  giveBackAttempt(db, [subject, paceSubject(subject)]);
