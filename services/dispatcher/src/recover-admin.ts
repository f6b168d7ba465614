import { randomBytes } from 'node:crypto';
import { parseArgs } from 'node:util';
import { hashPassword, serviceTurn } from '@uprez/domain/accounts/password-hash';
import { type RecoveryStep, recoverAdmin } from '@uprez/domain/admin/audit/recover-admin';
import { exitOnError } from '@uprez/runtime/run-service';
import { readDatabaseConfig } from './config.ts';
import { runDatabaseCommand } from './run-command.ts';

const usage = `Usage: recover-admin --email EMAIL --reason TEXT [--owner] [--restore] [--two-factor-off] [--password]
  --owner           makes the account an owner
  --restore         ends its suspension
  --two-factor-off  turns off its two-factor authentication, and signs it out
  --password        sets a new random password, prints it, and signs the account out`;

const texts: Record<RecoveryStep, string> = {
  owner: 'The account is an owner now.',
  restore: 'The account is no longer suspended.',
  two_factor_off: 'Two-factor authentication is off, and the account is signed out.',
  password: 'The account has a new password, and is signed out.',
};

function readOptions() {
  const { values } = parseArgs({
    options: {
      email: { type: 'string' },
      reason: { type: 'string' },
      owner: { type: 'boolean', default: false },
      restore: { type: 'boolean', default: false },
      'two-factor-off': { type: 'boolean', default: false },
      password: { type: 'boolean', default: false },
    },
  });
  const { email, reason, owner, restore, 'two-factor-off': isOff, password } = values;
  const chosen = { owner, restore, two_factor_off: isOff, password };
  const steps = (Object.keys(chosen) as RecoveryStep[]).filter((step) => chosen[step]);
  if (!email || !reason?.trim() || steps.length === 0) throw new Error(usage);
  return { email, reason: reason.trim(), steps };
}

/** Restores an account's access to administration when no owner can sign in. Prints the changes. */
const { DATABASE_URL } = exitOnError(readDatabaseConfig);
const options = exitOnError(readOptions);
await runDatabaseCommand({ DATABASE_URL }, async (db) => {
  const password = options.steps.includes('password') ? randomBytes(12).toString('base64url') : undefined;
  const passwordHash = password && (await hashPassword(password, serviceTurn));
  const done = await recoverAdmin({ db }, { ...options, passwordHash });
  console.log(done.length > 0 ? done.map((step) => texts[step]).join('\n') : 'Nothing to change.');
  if (password) console.log(`Password: ${password}`);
});
