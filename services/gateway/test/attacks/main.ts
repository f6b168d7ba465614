import { parseArgs } from 'node:util';
import { describeMachine } from '@uprez/testing/bench-report';
import { startBenchProduct } from '@uprez/testing/products/start-test-product';
import { attacks } from './attacks.ts';
import type { Attack } from './support/attack.ts';
import { floorsMs } from './support/judge.ts';
import { openWorld } from './support/open-world.ts';
import { printOutcomes } from './support/print-outcomes.ts';
import { redisFailures } from './support/redis-failures.ts';
import { type Outcome, readBaseline, runAttack } from './support/run-attack.ts';

/**
 * Attacks the real product on this machine while another user works, and checks what that user notices and that the
 * services recover. Parameters name attacks, or families of them; without any, all run. With `--redis=FAILURE`, Redis fails in
 * the middle of each. Run by `npm run test:attack`.
 */
const accountCount = 10;
const quietMs = 3_000;

const { positionals: names, values } = parseArgs({ allowPositionals: true, options: { redis: { type: 'string' } } });
const failure = values.redis === undefined ? undefined : redisFailures[values.redis];
if (values.redis !== undefined && !failure) {
  console.error(`Unknown failure of Redis: ${values.redis}. Failures: ${Object.keys(redisFailures).join(', ')}`);
  process.exit(1);
}
const isNamed = (attack: Attack, name: string) => attack.name === name || attack.name.startsWith(`${name}:`);
const unknown = names.filter((name) => !attacks.some((attack) => isNamed(attack, name)));
if (unknown.length > 0) {
  console.error(`Unknown: ${unknown.join(', ')}. Attacks: ${attacks.map(({ name }) => name).join(', ')}`);
  process.exit(1);
}

const outcomes: Outcome[] = [];
const errors: string[] = [];
const noteError = (name: string) => (error: Error) => void errors.push(`${name}: ${error.stack}`);
const world = await openWorld(startBenchProduct, accountCount);
try {
  console.log(describeMachine());
  const baseline = await readBaseline(world, quietMs);
  let quiet = baseline.samples;
  for (const attack of attacks) {
    if (names.length > 0 && !names.some((name) => isNamed(attack, name))) continue;
    const { redis } = world.product;
    const failRedis = failure && redis && (() => failure(redis));
    const options = {
      ...{ baseline: { ...baseline, samples: quiet }, seconds: attack.seconds, quietMs, floors: floorsMs },
      failRedis,
    };
    const outcome = await runAttack(world, attack, options).catch(noteError(attack.name));
    if (!outcome) continue;
    console.log(`${outcome.name}: ${JSON.stringify(outcome.facts)}`);
    for (const failure of outcome.failures) console.error(`  ${failure}`);
    outcomes.push(outcome);
    quiet = outcome.after;
  }
  await world.product.settle(60_000).catch(noteError('the ledger'));
} finally {
  await world.close();
}
process.exitCode = printOutcomes(outcomes, errors) > 0 ? 1 : 0;
