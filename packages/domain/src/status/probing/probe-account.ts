import { randomBytes, randomUUID } from 'node:crypto';
import { type ProbeAccount, probeAccountSchema } from '@uprez/contracts/schemas/status';
import type { Tx } from '@uprez/db/database';
import { lockSetup } from '@uprez/db/locks';
import { findServiceAccount, insertUser, updateUser } from '@uprez/db/queries/accounts/users';
import { insertApiKey } from '@uprez/db/queries/api-keys/api-keys';
import { deleteAccountKeys } from '@uprez/db/queries/api-keys/delete-api-keys';
import { findInstanceFact, setInstanceFact } from '@uprez/db/queries/instance/instance';
import { uuidv7 } from 'uuidv7';
import { hashPassword, serviceTurn } from '../../accounts/password-hash.ts';
import { createKeySecret, hashKeySecret, previewKeySecret } from '../../api-keys/key-secret.ts';
import type { Needs } from '../../context.ts';

/** Name of the instance fact that stores the sealed secrets. Also the purpose for which the secrets are sealed. */
export const probeAccountFact = 'probe_account';

/**
 * Creates the email address of the probe account. The top-level domain `.invalid` has no mailboxes (RFC 2606). The
 * address must be impossible to guess. Otherwise, strangers could sign up with it before the first round of probes, or
 * lock the account by entering wrong passwords.
 */
const makeEmail = (id: string) => `status-probe-${id}@uprez.invalid`;

/**
 * Returns the probe account with its secrets. Creates the account if needed, and creates new secrets if the stored ones
 * were sealed with another VAULT_SECRET.
 */
export async function ensureProbeAccount({ db, vault }: Needs<'db' | 'vault'>): Promise<ProbeAccount> {
  return (
    (await findAccount({ db, vault })) ??
    (await db.transaction().execute(async (tx) => {
      await lockSetup(tx);
      return (await findAccount({ db: tx, vault })) ?? (await createAccount(tx, vault));
    }))
  );
}

/** Stores the secrets of the probe account. */
export const keepProbeAccount = ({ db, vault }: Needs<'db' | 'vault'>, account: ProbeAccount): Promise<void> =>
  setInstanceFact(db, probeAccountFact, vault.seal(JSON.stringify(account), probeAccountFact));

async function findAccount({ db, vault }: Needs<'vault'> & { db: Tx | Needs<'db'>['db'] }) {
  const [sealed, user] = [await findInstanceFact(db, probeAccountFact), await findServiceAccount(db)];
  if (!sealed || !user) return undefined;
  const account = unseal(vault, sealed);
  return account?.id === user.id ? account : undefined;
}

function unseal(vault: Needs<'vault'>['vault'], sealed: string): ProbeAccount | undefined {
  try {
    return probeAccountSchema.parse(JSON.parse(vault.unseal(sealed, probeAccountFact)));
  } catch {
    return undefined;
  }
}

async function createAccount(tx: Tx, vault: Needs<'vault'>['vault']): Promise<ProbeAccount> {
  const [password, apiKey] = [randomBytes(24).toString('base64url'), createKeySecret('test')];
  const passwordHash = await hashPassword(password, serviceTurn);
  const known = await findServiceAccount(tx);
  const id = known?.id ?? uuidv7();
  const email = known?.email ?? makeEmail(randomUUID());
  if (known) await updateUser(tx, id, { passwordHash });
  else await insertUser(tx, { id, email, username: email, passwordHash, emailVerified: true, isService: true });
  await deleteAccountKeys(tx, id);
  const key = { secretHash: hashKeySecret(apiKey), preview: previewKeySecret(apiKey), scopes: ['process', 'read'] };
  await insertApiKey(tx, { id: uuidv7(), accountId: id, name: 'Status probes', kind: 'test', ...noLimits, ...key });
  const account = { id, email, password, apiKey };
  await setInstanceFact(tx, probeAccountFact, vault.seal(JSON.stringify(account), probeAccountFact));
  return account;
}

const noLimits = { expiresAt: null, monthlyCap: null, callsPerMinute: null };
