// Counts the source files that three requests enter: an image of the public API until its result, the purchase of a
// plan, and the change of a user's plan by an administrator. A file is entered if one of its functions runs in the
// gateway or the worker, as V8's precise coverage reports. Child processes aren't counted. Each request is repeated,
// and a file counts if it is entered every time: scheduled tasks only enter theirs by chance.
//   npm run count:journey [-- --list]
import { mkdtemp, writeFile } from 'node:fs/promises';
import { Session } from 'node:inspector/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = fileURLToPath(new URL('../..', import.meta.url));
const load = (file) => import(path.join(root, file));
const { values } = parseArgs({ options: { list: { type: 'boolean', default: false } } });
const repeats = 5;
const source = /\/(?:packages|services)\/(?!client|testing|local-stack)[^/]+\/src\/.+\.ts$/;

/** Returns the source files of which a function runs during `call`. */
async function listEntered(call) {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await call();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  // The module itself starts at 0, and is listed only if it was loaded during the call.
  const isEntered = ({ functions }) =>
    functions.some(({ functionName, ranges: [range] }) => range.count > 0 && (functionName || range.startOffset > 0));
  return result
    .filter((script) => source.test(script.url) && isEntered(script))
    .map(({ url }) => path.relative(root, fileURLToPath(url)))
    .toSorted();
}

/** Starts the gateway and a worker in this process, with a Stripe double. */
async function openProduct() {
  const { openTestContext } = await load('packages/testing/src/open-test-context.ts');
  const { openTestStripe } = await load('packages/testing/src/billing/open-test-stripe.ts');
  const { syncCatalog } = await load('packages/domain/src/billing/sync-catalog.ts');
  const { ensureInstanceFact } = await load('packages/db/src/queries/instance/instance.ts');
  const { openLogger } = await load('packages/runtime/src/open-logger.ts');
  const context = await openTestContext();
  const { id } = await context.storage.ensure();
  await ensureInstanceFact(context.db, 'storage_id', id);
  const stripe = await openTestStripe();
  await syncCatalog({ db: context.db, payments: stripe.payments }, { onChange: () => {} });
  const webDir = await mkdtemp(path.join(context.dataDir, 'web-'));
  for (const page of ['index', 'landing', 'documentation'])
    await writeFile(path.join(webDir, `${page}.html`), '<!doctype html><title>Uprez</title><div id="root"></div>');
  const env = {
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: 'http://images.example',
    DATABASE_URL: context.databaseUrl,
    REDIS_URL: context.redis.url,
    QUEUE_PREFIX: context.redis.prefix,
    DATA_DIR: context.dataDir,
    WEB_DIR: webDir,
    SESSION_SECRET: 'a session secret of this count that is long enough',
    URL_SECRET: 'a link secret of this count that is long enough',
    VAULT_SECRET: 'a vault secret of this count that is long enough',
    ...stripe.env,
  };
  const start = async (service, verb) => {
    const { readConfig } = await load(`services/${service}/src/config.ts`);
    const { [verb]: startService } = await load(`services/${service}/src/start-${service}.ts`);
    return startService(readConfig(env), openLogger({ service, level: 'silent' }));
  };
  const services = [await start('gateway', 'startGateway'), await start('worker', 'startWorker')];
  return { url: services[0].url, db: context.db, context, services, stripe };
}

const { default: openServices } = await load('packages/testing/src/global-setup.ts');
const closeServices = await openServices();
const { url: listening, db, ...product } = await openProduct();
const url = `http://127.0.0.1:${new URL(listening).port}`;
const { signUp, imageForm } = await load('packages/testing/src/sign-up.ts');
const { makeImage } = await load('packages/testing/src/make-image.ts');

const change = (user, columns) => db.updateTable('users').set(columns).where('id', '=', user.user.id).execute();
const expectStatus = (response, status) => {
  if (response.status !== status) throw new Error(`${response.url} returned ${response.status} instead of ${status}`);
  return response;
};
const json = (body) => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(body),
});

async function prepareImage() {
  const user = await signUp(url);
  await change(user, { tier: 'api_basic', emailVerified: true });
  const { data: key } = await user.client.createApiKey({ body: { name: 'Count' } });
  const headers = { authorization: `Bearer ${key.key}`, accept: 'application/json' };
  const image = await makeImage({ width: 200, height: 150, format: 'jpeg' });
  return async () => {
    const body = imageForm(image, { engine: 'standard', scale: '2' });
    const response = await fetch(`${url}/v1/process`, {
      method: 'POST',
      headers: { ...headers, prefer: 'wait=60' },
      body,
    });
    const job = await expectStatus(response, 200).json();
    const { pathname, search } = new URL(job.download_url);
    await expectStatus(await fetch(url + pathname + search, { headers }), 200).arrayBuffer();
  };
}

async function preparePurchase() {
  const user = await signUp(url);
  await change(user, { emailVerified: true });
  return async () => {
    const order = json({ priceId: 'pro', planName: 'Pro' });
    const page = await expectStatus(await user.fetch(`${url}/api/create-checkout-session`, order), 200).json();
    const card = new URLSearchParams({ number: '4242424242424242' });
    const paid = await fetch(page.url, { method: 'POST', body: card, redirect: 'manual' });
    const checkout = new URL(paid.headers.get('location')).searchParams.get('checkout');
    const plan = await expectStatus(await user.fetch(`${url}/api/billing/refresh`, json({ checkout })), 200).json();
    if (plan.tier !== 'pro') throw new Error(`the plan is ${plan.tier}`);
  };
}

async function prepareChange() {
  const [admin, user] = [await signUp(url), await signUp(url)];
  await change(admin, { role: 'owner' });
  await db.updateTable('sessions').set({ steppedUpAt: new Date() }).where('userId', '=', admin.user.id).execute();
  const params = { id: user.user.id };
  return () => admin.client.adminSetTier({ params, body: { subscriptionTier: 'pro', reason: 'a gift' } });
}

try {
  for (const [name, prepare] of Object.entries({
    'POST /v1/process to its result': prepareImage,
    'buying a plan': preparePurchase,
    "changing a user's plan": prepareChange,
  })) {
    // Once before, so that what is opened by the first request isn't counted.
    await (await prepare())();
    let files = await listEntered(await prepare());
    for (let i = 1; i < repeats; i += 1) {
      const entered = new Set(await listEntered(await prepare()));
      files = files.filter((file) => entered.has(file));
    }
    console.log(`${String(files.length).padStart(4)} files  ${name}`);
    if (values.list) for (const file of files) console.log(`           ${file}`);
  }
} finally {
  for (const service of product.services) await service.close();
  await product.stripe.close();
  await product.context.close();
  await closeServices();
}
