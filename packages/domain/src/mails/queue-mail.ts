import type { Mail } from '@uprez/contracts/mails';
import type { DbOrTx } from '@uprez/db/database';
import { insertOutbox } from '@uprez/db/queries/outbox';
import { uuidv7 } from 'uuidv7';

/** Have a mail about a user sent once this transaction is committed; the dispatcher sends and repeats it. */
export async function queueMail(tx: DbOrTx, userId: string | undefined, mail: Mail): Promise<void> {
  await insertOutbox(tx, { id: uuidv7(), kind: 'mail', userId, payload: mail });
}
