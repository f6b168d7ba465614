import fs from 'node:fs/promises';
import path from 'node:path';
import { urlPlaceholder } from '@uprez/contracts/texts/site/placeholders';
import { ensureInstanceFact } from '@uprez/db/queries/instance/instance';
import { openLogger } from '@uprez/runtime/open-logger';
import { noteOpened } from '@uprez/testing/note-opened';
import { openTestContext, type TestContext } from '@uprez/testing/open-test-context';
import { type SignedIn, signUp } from '@uprez/testing/sign-up';
import { readConfig } from '../../src/config.ts';
import { type Deps, openDeps } from '../../src/deps.ts';
import { startGateway } from '../../src/start-gateway.ts';
import { makeCheckedFetch } from './checked-fetch.ts';

/** A host that test requests never send, to distinguish links made from it and from the request. */
export const publicHost = 'images.example';

/** The secret of what test gateways sign and encrypt. */
export const vaultSecret = 'a vault secret of these tests that is long enough';

export type TestGateway = {
  url: string;
  operatorUrl: string;
  ctx: TestContext;
  /** Creates an account whose responses are checked against the contract. */
  signUp: () => Promise<SignedIn>;
  close: () => Promise<void>;
};

const page = '<!doctype html><title>Uprez</title><div id="root"></div>';
const landingPage = `<!doctype html><title>Uprez</title><div id="root"><h1>Upscale</h1>${urlPlaceholder}/v1</div>`;
const documentationPage = `<!doctype html><title>Uprez</title><div id="root"><noscript>${urlPlaceholder}/v1</noscript></div>`;

/**
 * Starts a gateway in this process with a small web app, a separate storage folder and queue prefix, and a separate database unless
 * `settings` name one.
 */
export async function startTestGateway(
  settings: Record<string, string> = {},
  network?: Deps['network'],
  change: (deps: Deps) => Partial<Deps> = () => ({}),
): Promise<TestGateway> {
  noteOpened('gateways');
  const { DATABASE_URL: databaseUrl } = settings;
  const ctx = await openTestContext({ databaseUrl });
  const { id = '' } = await ctx.storage.ensure();
  if (databaseUrl === undefined) await ensureInstanceFact(ctx.db, 'storage_id', id);
  const webDir = path.join(ctx.dataDir, 'web');
  await fs.mkdir(path.join(webDir, 'assets'), { recursive: true });
  await fs.writeFile(path.join(webDir, 'index.html'), page);
  await fs.writeFile(path.join(webDir, 'landing.html'), landingPage);
  await fs.writeFile(path.join(webDir, 'documentation.html'), documentationPage);
  for (const name of ['app-1a2b.js', 'app-1a2b.js.map', 'process-worker-1a2b.js'])
    await fs.writeFile(path.join(webDir, 'assets', name), 'export {};\n');
  const config = readConfig({
    PORT: '0',
    METRICS_PORT: '0',
    LOG_LEVEL: 'silent',
    PUBLIC_URL: `http://${publicHost}`,
    DATABASE_URL: ctx.databaseUrl,
    REDIS_URL: ctx.redis.url,
    QUEUE_PREFIX: ctx.redis.prefix,
    DATA_DIR: ctx.dataDir,
    WEB_DIR: webDir,
    SESSION_SECRET: 'a session secret of these tests that is long enough',
    URL_SECRET: 'a link secret of these tests that is long enough',
    VAULT_SECRET: vaultSecret,
    // All tests of a file share an IP address. Tests of rate limits set the real values.
    RATE_LIMIT_SCALE: '1000',
    ...settings,
  });
  const logger = openLogger({ service: 'gateway', level: config.LOG_LEVEL });
  const deps = { ...openDeps(config, logger), network };
  // Most tests send no image: the child starts with the first one.
  const inspector = { ...deps.inspector, warmUp: () => {} };
  const gateway = await startGateway(config, logger, { ...deps, inspector, ...change(deps) });
  const url = `http://127.0.0.1:${new URL(gateway.url).port}`;
  return {
    url,
    operatorUrl: gateway.operatorUrl,
    ctx,
    signUp: () => signUp(url, makeCheckedFetch),
    close: async () => {
      await gateway.close();
      await ctx.close();
    },
  };
}
