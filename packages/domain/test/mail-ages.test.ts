import { listMailAges, queueMail } from '@uprez/domain/mails/queue-mail';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeUser } from '@uprez/testing/make-user';
import { openTestContext } from '@uprez/testing/open-test-context';
import { sql } from 'kysely';
import { expect, it } from 'vitest';

const ctx = fileFixture(() => openTestContext());

it('an email of a later transaction has no negative age', async () => {
  const { accountId } = await makeUser(ctx.db);
  await ctx.db.transaction().execute(async (tx) => {
    await sql`select now()`.execute(tx);
    await queueMail(ctx.db, accountId, { mail: 'verify_email' });
    expect(await listMailAges(tx, accountId, 'verify_email')).toEqual([0]);
  });
});
