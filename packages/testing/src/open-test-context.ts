import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type { Log } from '@uprez/domain/context';
import { makeFirstSettings } from '@uprez/domain/settings/first-settings';
import { openSettings } from '@uprez/domain/settings/open-settings';
import { openVault } from '@uprez/domain/vault';
import { openJobPublisher, openJobSubscriber } from '@uprez/queue/open-job-channel';
import { openQueue } from '@uprez/queue/open-queue';
import { openDiskStorage } from '@uprez/storage/open-disk-storage';
import { connectTo, openTestDatabase } from './open-test-database.ts';
import { makeRedisOptions } from './redis.ts';
import { waitUntil } from './wait-until.ts';

const silent: Log = { info: () => {}, warn: () => {}, error: () => {} };

/**
 * Opens a context with real services for tests of domain functions. The storage folder and the queue prefix are
 * private. The database is also private, unless `databaseUrl` is given.
 */
export async function openTestContext({ databaseUrl }: { databaseUrl?: string | undefined } = {}) {
  const database =
    databaseUrl === undefined ? await openTestDatabase() : { url: databaseUrl, ...connectTo(databaseUrl) };
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'uprez-test-data-'));
  const storage = openDiskStorage({ dataDir });
  await storage.ensure();
  const redis = makeRedisOptions();
  const queue = openQueue(redis);
  const publisher = openJobPublisher(redis);
  const subscriber = openJobSubscriber(redis);
  await waitUntil(() =>
    queue.ping().then(
      () => true,
      () => false,
    ),
  );
  const vault = openVault('a vault secret of these tests, long enough');
  const initialSettings = makeFirstSettings({
    PUBLIC_URL: 'http://images.example',
    SMTP_PORT: 587,
    SMTP_SECURE: true,
  });
  return {
    vault,
    settings: openSettings({ db: database.db, vault, first: initialSettings }),
    db: database.db,
    databaseUrl: database.url,
    dataDir,
    storage,
    redis,
    queue,
    publisher,
    subscriber,
    // Counts no free work, because tests have no callers' IP addresses.
    freeWork: { spend: async () => {}, keepCaller: async () => {} },
    log: silent,
    close: async () => {
      await Promise.all([queue.close(), publisher.close(), subscriber.close()]);
      await storage.close();
      await database.close();
      await fs.rm(dataDir, { recursive: true, force: true });
    },
  };
}
export type TestContext = Awaited<ReturnType<typeof openTestContext>>;
