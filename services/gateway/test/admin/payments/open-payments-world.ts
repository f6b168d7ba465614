import { openBillingWorld, type Subscriber } from '@uprez/testing/billing/open-billing-world';
import { setStepUp } from '../../support/accounts/admin-calls.ts';
import { startTestGateway } from '../../support/start-test-gateway.ts';

/** Starts a gateway with an administrator on the database and the Stripe double of a billing world. */
export async function openPaymentsWorld() {
  const world = await openBillingWorld();
  const { db, payments, log } = world;
  const gateway = await startTestGateway({ DATABASE_URL: world.databaseUrl, ...world.stripe.env });
  const admin = await gateway.signUp();
  await db.updateTable('users').set({ role: 'owner' }).where('id', '=', admin.user.id).execute();
  await setStepUp(db, admin, 0);
  return {
    ...world,
    url: gateway.url,
    signUp: gateway.signUp,
    admin,
    ctx: { db, payments, log },
    /** Creates an account with a subscription that is paid, and returns the payment too. */
    subscribePaid: async (tier = 'pro'): Promise<Subscriber & { paymentId: string }> => {
      const subscriber = await world.subscribe(tier);
      const paymentId = await world.pay(subscriber);
      await world.syncAll();
      return { ...subscriber, paymentId };
    },
    /** The rows of the audit log about something that was done, oldest first. */
    audits: (subject: string) =>
      db
        .selectFrom('audits')
        .selectAll()
        .where('subject', '=', subject)
        .where('rejected', 'is', null)
        .orderBy('createdAt')
        .execute(),
    /** The actions about something, oldest first, with the code of those that were rejected or failed. */
    outcomes: async (subject: string) => {
      const rows = db.selectFrom('audits').select(['action', 'rejected']).where('subject', '=', subject);
      return (await rows.orderBy('createdAt').execute()).map(({ action, rejected }) => [action, rejected]);
    },
    close: async () => {
      await gateway.close();
      await world.close();
    },
  };
}
