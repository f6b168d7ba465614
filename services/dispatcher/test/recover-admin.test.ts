import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { serviceTurn, verifyPassword } from '@uprez/domain/accounts/password-hash';
import { inheritedEnv } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestDatabase } from '@uprez/testing/open-test-database';
import { expect, it } from 'vitest';

const database = fileFixture(() => openTestDatabase());

/** Runs the built command. */
const run = (...args: string[]): Promise<{ code: number; stdout: string; stderr: string }> => {
  const file = fileURLToPath(new URL('../dist/recover-admin.js', import.meta.url));
  const env = { ...inheritedEnv, DATABASE_URL: database.url };
  return new Promise((resolve) => {
    execFile(process.execPath, [file, ...args], { env }, (error, stdout, stderr) =>
      resolve({ code: Number(error?.code ?? 0), stdout, stderr }),
    );
  });
};

it('makes an account an owner, and changes nothing when repeated', async () => {
  const { accountId } = await makeUser(database.db);
  const options = ['--email', `${accountId}@example.test`, '--owner', '--reason', 'the owner left'];
  expect(await run(...options)).toEqual({ code: 0, stdout: 'The account is an owner now.\n', stderr: '' });
  expect(await run(...options)).toEqual({ code: 0, stdout: 'Nothing to change.\n', stderr: '' });
  const role = database.db.selectFrom('users').select('role').where('id', '=', accountId);
  expect(await role.execute()).toEqual([{ role: 'owner' }]);
  const audits = database.db.selectFrom('audits').selectAll().where('subject', '=', `user:${accountId}`);
  expect(await audits.execute()).toMatchObject([{ actorId: null, action: 'recovery.owner', reason: 'the owner left' }]);
});

it('sets a password and prints it', async () => {
  const { accountId } = await makeUser(database.db);
  const { stdout } = await run('--email', `${accountId}@example.test`, '--password', '--reason', 'a held reset');
  const [, password = ''] =
    /^The account has a new password, and is signed out\.\nPassword: (\S{16})\n$/.exec(stdout) ?? [];
  const row = database.db.selectFrom('users').select('passwordHash').where('id', '=', accountId);
  const { passwordHash } = await row.executeTakeFirstOrThrow();
  expect(await verifyPassword({ passwordHash, password, turn: serviceTurn })).toBe(true);
});

it.each([
  [['--owner', '--reason', 'why'], 'Usage: recover-admin'],
  [['--email', 'nobody@example.test', '--owner'], 'Usage: recover-admin'],
  [['--email', 'nobody@example.test', '--reason', 'why'], 'Usage: recover-admin'],
  [['--everything'], "Unknown option '--everything'"],
  [['--email', 'nobody@example.test', '--owner', '--reason', 'why'], 'No account has the email address'],
])('exits with 1 and an explanation for %j', async (args, message) => {
  const { code, stderr } = await run(...args);
  expect(code).toBe(1);
  expect(stderr).toContain(message);
});
