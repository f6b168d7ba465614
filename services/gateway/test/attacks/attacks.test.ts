import { fileFixture } from '@uprez/testing/fixtures';
import { startIsolatedProduct } from '@uprez/testing/products/start-test-product';
import { expect, it } from 'vitest';
import { eventStreams } from './families/event-streams.ts';
import { races } from './families/races.ts';
import { resets } from './families/resets.ts';
import { unknownCallers } from './families/unknown-callers.ts';
import { openWorld } from './support/open-world.ts';
import { readBaseline, runAttack } from './support/run-attack.ts';

/**
 * The attacks whose effect on the whole product no other test checks, for short. `npm run test:attack` runs all, and also
 * judges the delays of another user, which depend on what else runs on the machine.
 */
const accountCount = 8;
const quietMs = 100;
const seconds = 1.5;

const world = fileFixture(() => openWorld(startIsolatedProduct, accountCount));
const baseline = fileFixture(() => readBaseline(world, quietMs));

const floods = unknownCallers.filter(({ name }) => name.endsWith(':keys'));

it.each([eventStreams, resets, races, ...floods].map((attack) => [attack.name, attack] as const))(
  'the attack %s stays within its limits and leaves nothing behind',
  async (_name, attack) => {
    const { failures } = await runAttack(world, attack, { baseline, seconds, quietMs });
    expect(failures).toEqual([]);
  },
);
