import type { Db, Tx } from '@uprez/db/database';
import { lockSetup } from '@uprez/db/locks';
import { migrate } from '@uprez/db/migrate';
import { ensureInstanceFact, findInstanceFact } from '@uprez/db/queries/instance/instance';
import { ensureAdmin } from '@uprez/domain/accounts/register-account';
import { firstHelpFact, firstPagesFact, firstPostsFact } from '@uprez/domain/content/first-articles/first-articles';
import type { PaymentsOptions } from '@uprez/payments/open-payments';
import { exitOnError } from '@uprez/runtime/run-service';
import type { Storage } from '@uprez/storage/storage';
import { readSetupConfig } from './config.ts';
import { runCommand } from './run-command.ts';

/**
 * Prepares the schema, storage, first administrator, first articles, and prices at Stripe. Idempotent, and safe to run
 * concurrently.
 */
const config = exitOnError(readSetupConfig);
await runCommand(config, async ({ db, storage }) => {
  const applied = await migrate(db);
  if (applied.length > 0) console.log(`Applied migrations: ${applied.join(', ')}`);
  await db.transaction().execute(async (tx) => {
    await lockSetup(tx);
    await connectStorage(tx, storage);
    await createAdmin(tx);
    await createArticles(tx);
  });
  if (config.payments) await preparePrices(db, config.payments);
});

/** Throws if the database was set up with another data folder. */
async function connectStorage(tx: Tx, storage: Storage): Promise<void> {
  const { id } = await storage.ensure();
  const known = id && (await ensureInstanceFact(tx, 'storage_id', id));
  if (known !== id)
    throw new Error(
      `The database belongs to another data folder (${known}) than this one (${id}). Set DATA_DIR or DATABASE_URL.`,
    );
}

async function createAdmin(tx: Tx): Promise<void> {
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = config;
  const { madeUpPassword } = await ensureAdmin({ db: tx }, { email, password });
  if (madeUpPassword) console.log(`First administrator: ${email}  password: ${madeUpPassword}  (shown once)`);
}

/**
 * Creates the first articles of a new installation, each kind once. Loads the renderer only if a kind is missing, which
 * halves the duration of later setups.
 */
async function createArticles(tx: Tx): Promise<void> {
  const load = () => import('@uprez/domain/content/first-articles/create-first-articles');
  const create: Record<string, () => Promise<void>> = {
    [firstPostsFact]: async () =>
      (await import('@uprez/domain/content/first-articles/create-first-articles')).createFirstPosts(tx),
    [firstPagesFact]: async () => (await load()).createFirstPages(tx),
    [firstHelpFact]: async () => (await load()).createFirstHelp(tx),
  };
  for (const [fact, createAll] of Object.entries(create)) {
    if (await findInstanceFact(tx, fact)) continue;
    await createAll();
    await ensureInstanceFact(tx, fact, 'created');
  }
}

/**
 * Syncs prices with Stripe. Only prints a warning if Stripe is unavailable, because everything except buying works
 * without it. Throws if Stripe's keys are wrong.
 */
async function preparePrices(db: Db, payments: PaymentsOptions): Promise<void> {
  // Not loaded without keys, because loading Stripe's SDK would take half of the setup time.
  const { syncPrices, rethrowPaymentError: explainPaymentError, isTemporary } = await import('./sync-prices.ts');
  await syncPrices(db, payments).catch((error: unknown) => {
    if (!isTemporary(error)) return explainPaymentError(error);
    console.warn(`Prices were not synchronized with Stripe. Run \`npm run billing:sync\` later. (${error.message})`);
  });
}
