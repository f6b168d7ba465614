import { openLogger } from '@uprez/runtime/open-logger';
import { makeUser } from '@uprez/testing/make-user';
import { waitUntil } from '@uprez/testing/wait-until';
import { readConfig } from '../../../../dispatcher/src/config.ts';
import { openDeps } from '../../../../dispatcher/src/deps.ts';
import { startDispatcher } from '../../../../dispatcher/src/start-dispatcher.ts';
import { openReceiver } from '../../../../dispatcher/test/support/open-receiver.ts';
import { makeEndpoint, makeEvents } from '../../../../dispatcher/test/support/webhook-world.ts';
import type { Attack, Target, World } from '../support/attack.ts';

const slowMs = 3_000;
/** More than all delivery slots of a dispatcher. */
const owners = 4;
const endpointsEach = 20;
const eventsEach = 6;
/** The slots for slow destinations. */
const leastRunning = 32;
const measured = 5;

/** Starts a dispatcher in this process. Its webhooks reach a local receiver, because real ones reach public hosts only. */
async function openDispatcher(input: Target['input']) {
  const receiver = await openReceiver({
    slow: (response) => void setTimeout(() => response.writeHead(204).end(), slowMs),
  });
  const config = readConfig(input);
  const logger = openLogger({ service: 'dispatcher', level: 'error' });
  const deps = { ...openDeps(config, logger), network: receiver.network };
  const dispatcher = await startDispatcher(config, logger, deps);
  return { receiver, deps, close: () => dispatcher.close().then(receiver.close) };
}

type Opened = Awaited<ReturnType<typeof openDispatcher>>;
type Endpoint = Awaited<ReturnType<typeof makeEndpoint>>;

/** Returns the milliseconds from an event to its request, of several events one after another. */
async function measureDelivery({ deps, receiver }: Opened, { owner }: Endpoint): Promise<number[]> {
  const times: number[] = [];
  for (let at = 0; at < measured; at += 1) {
    const start = performance.now();
    const [id] = await makeEvents(deps, owner);
    const arrived = () => receiver.callsOf('quick').some(({ headers }) => headers['webhook-id'] === id);
    await waitUntil(arrived, { timeoutMs: 60_000 });
    times.push(performance.now() - start);
  }
  return times;
}

/** Endpoints of several accounts that respond slowly and successfully, while another account waits for its events. */
async function respondSlowly({ input }: Target) {
  const opened = await openDispatcher(input);
  const { deps, receiver } = opened;
  try {
    const quick = await makeEndpoint(deps, 'quick');
    const quiet = await measureDelivery(opened, quick);
    for (let account = 0; account < owners; account += 1) {
      const owner = await makeUser(deps.db, 'api_pro');
      for (let at = 0; at < endpointsEach; at += 1) await makeEndpoint(deps, 'slow', { owner });
      await makeEvents(deps, owner, eventsEach);
    }
    await waitUntil(() => receiver.callsOf('slow').length >= leastRunning);
    const during = await measureDelivery(opened, quick);
    return { quietMs: Math.max(...quiet), duringMs: Math.max(...during), slow: receiver.callsOf('slow').length };
  } finally {
    await opened.close();
  }
}

const findDispatchers = ({ product }: World) => product.services.filter(({ name }) => name === 'dispatcher');

export const slowWebhooks: Attack = {
  name: 'slow-webhooks',
  seconds: 0,
  isServer: true,
  prepare: async (world) => {
    for (const dispatcher of findDispatchers(world)) await dispatcher.end('SIGTERM');
    return { ...world.product.env, PUBLIC_URL: 'https://images.example' };
  },
  run: respondSlowly,
  check: ({ facts }) => ({
    'many endpoints respond slowly': (facts.slow ?? 0) >= leastRunning,
    // A slot is free when one of the requests before it ends.
    'the events of another account wait for one slow response at most':
      (facts.duringMs ?? Infinity) < slowMs + Math.max(1_500, 2 * (facts.quietMs ?? 0)),
  }),
  restore: async ({ product }) => {
    await product.db.deleteFrom('webhookEndpoints').execute();
    const dispatcher = await product.spawn('dispatcher');
    await dispatcher.ready();
  },
};
