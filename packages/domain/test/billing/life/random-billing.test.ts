import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { AppError } from '@uprez/contracts/errors/app-error';
import { countDrift } from '@uprez/db/queries/billing/stripe-checks';
import { runDunning } from '@uprez/domain/billing/dunning/run-dunning';
import { settleEndedPlans } from '@uprez/domain/billing/plan/settle-plan';
import { purchaseRules } from '@uprez/domain/billing/purchases/purchase-kind';
import { reconcileSubscriptions } from '@uprez/domain/billing/reconcile/reconcile-subscriptions';
import { pullEvents } from '@uprez/domain/billing/stripe-events';
import { checkLedger } from '@uprez/domain/usage/check-ledger';
import { openDiskStorage } from '@uprez/storage/open-disk-storage';
import { isFullRun } from '@uprez/testing/config';
import { fileFixture } from '@uprez/testing/fixtures';
import { makeRandom, testSeed } from '@uprez/testing/random';
import { expect, it } from 'vitest';
import { checkAllowances, checkCharges, checkCodes, checkPacks, checkPlan, checkSync } from './check-life.ts';
import { openLife } from './open-life.ts';
import { type Random, steps } from './steps.ts';

const count = 300;
const lives = isFullRun ? 10 : 1;
const people = 4;
/** One life in the regular run is always the same: a random one may end without a renewal, which this test requires. */
const seed = isFullRun ? testSeed : 1;

const life = fileFixture(() => openLife(people));
const names = Object.entries(steps).flatMap(([name, [weight]]) => Array<string>(weight).fill(name));

/** Does a random step for a random account. Returns the code of its error. */
async function doStep(random: Random, done: string[]): Promise<string> {
  const [name = '', number] = [names[random(names.length)], random(people)];
  const [, run] = steps[name] ?? [];
  const person = life.people[number];
  if (!run || !person) throw new Error(`no step ${name}`);
  done.push(`${name} ${number}`);
  try {
    await run(life, person, random);
    return '';
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    done.push(`  ${error.code}`);
    return error.code;
  }
}

/** Upgrades with a code, for which random steps rarely find a plan without a discount. */
async function upgradeWithCode(): Promise<void> {
  const [person] = life.people;
  if (!person) throw new Error('no person');
  const [first, third]: Random[] = [() => 0, () => 2];
  for (const [name, random] of [
    ['buy', first],
    ['pay', first],
    ['change with a code', third],
  ] as const) {
    await steps[name]?.[1](life, person, random ?? (() => 0));
    await life.wait();
    await life.finishCalls();
    await life.syncAll();
  }
}

/** Ends what is open, and compares everything with Stripe until nothing differs. */
async function reconcile(): Promise<void> {
  await life.removeFailures();
  await life.wait();
  await life.finishCalls();
  await life.wait();
  await life.syncAll();
  await runDunning(life.ctx);
  await settleEndedPlans(life.ctx);
  // Nothing changes at Stripe from here on.
  await pullEvents(life.ctx, 0);
  await reconcileSubscriptions(life.ctx);
  await life.syncAll();
  expect(await reconcileSubscriptions(life.ctx)).toBe(0);
  expect(await pullEvents(life.ctx, 0)).toBe(0);
  await life.syncAll();
  expect(await countDrift(life.db)).toEqual({ events: 0, subscriptions: 0, doubledAccounts: 0 });
}

async function checkAll(): Promise<void> {
  for (const person of life.people) {
    const customerId = await life.findCustomer(person);
    await checkPlan(life, person, customerId);
    if (!customerId) continue;
    await checkSync(life, customerId);
    await checkCharges(life, customerId);
    await checkCodes(life, person, customerId);
    await checkPacks(life, person, customerId);
  }
  await checkAllowances(life);
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-test-life-'));
  const storage = openDiskStorage({ dataDir });
  await storage.ensure();
  const { errors } = await checkLedger({ db: life.db, storage });
  await storage.close();
  await fs.rm(dataDir, { recursive: true });
  expect(errors).toEqual([]);
}

it(`M13: agrees with Stripe after ${lives * count} random steps of ${people} accounts`, async () => {
  await life.control('retries', { delaysDays: [] });
  const random = makeRandom(seed);
  const done: string[] = [];
  const codes = new Set<string>();
  try {
    await upgradeWithCode();
    for (let number = 0; number < lives; number += 1) {
      for (let step = 0; step < count; step += 1) codes.add(await doStep(random, done));
      await reconcile();
      await checkAll();
    }
  } catch (error) {
    console.error(`seed ${seed}\n${done.join('\n')}`);
    throw error;
  }
  // The life must include plans that are bought, changed, and renewed, packs, and purchases with a code.
  const met = async (table: 'subscriptions' | 'invoices', column: 'status' | 'reason') =>
    (
      await life.db
        .selectFrom(table)
        .select(column as 'status')
        .distinct()
        .execute()
    ).map((row) => Object.values(row)[0]);
  expect(await met('invoices', 'reason')).toEqual(
    expect.arrayContaining(['subscription_create', 'subscription_cycle']),
  );
  expect(await met('invoices', 'status')).toEqual(expect.arrayContaining(['paid']));
  expect(codes).toContain('already_subscribed');
  const redeemed = life.db
    .selectFrom('couponRedemptions')
    .innerJoin('billingCalls', 'billingCalls.id', 'couponRedemptions.callId')
    .select('billingCalls.slot')
    .where('redeemedAt', 'is not', null);
  expect((await redeemed.execute()).map(({ slot }) => slot)).toEqual(
    expect.arrayContaining([purchaseRules.slot, 'change']),
  );
  const packs = life.db.selectFrom('allowances').select('id').where('source', '=', 'pack');
  expect(await packs.execute()).not.toEqual([]);
}, 1_200_000);
