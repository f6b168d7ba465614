import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openPostgres } from '../src/open-postgres.ts';
import { findBinaries } from '../src/postgres/find-binaries.ts';
import { relocateBinaries } from '../src/postgres/relocate.ts';
import { canReach, findServerAccount } from '../src/postgres/server-account.ts';
import { removePostgresData } from '../src/remove-data.ts';
import { fixture, isRoot, makeFolder, password, spawnStarter } from './helpers.ts';

const nobody = { uid: 65_534, gid: 65_534 };

describe.skipIf(!isRoot)('as root', () => {
  test('PostgreSQL runs as another account, in place where that account can reach the folder', async () => {
    const folder = makeFolder();
    const postgres = await openPostgres({ dataDir: join(folder, 'postgres'), password, fsync: false });
    onTestFinished(() => postgres.stop());
    expect(postgres.dataDir).toBe(join(folder, 'postgres'));
    expect(statSync(postgres.dataDir).uid).not.toBe(0);
    expect(statSync(`/proc/${postgres.pid}`).uid).toBe(statSync(postgres.dataDir).uid);
  });

  test('data below a folder closed to that account move below /var/tmp and are found there again', async () => {
    const folder = makeFolder();
    chmodSync(folder, 0o700);
    const dataDir = join(folder, 'hidden');
    onTestFinished(() => removePostgresData(dataDir));
    const first = await openPostgres({ dataDir, password, fsync: false });
    expect(first.dataDir).toMatch(/^\/var\/tmp\/uprez-postgres-data-/);
    await first.stop();

    // Opening the folder later must not hide the data that were made elsewhere.
    chmodSync(folder, 0o711);
    const second = await openPostgres({ dataDir, password, fsync: false });
    expect(second.dataDir).toBe(first.dataDir);
    await second.stop();
    await removePostgresData(dataDir);
    expect(existsSync(first.dataDir)).toBe(false);
  });

  test('binaries that the account cannot reach are copied where it can', () => {
    const account = findServerAccount(undefined) ?? nobody;
    const copy = relocateBinaries(findBinaries(), () => undefined);
    expect(canReach(account, [join(copy, 'bin/postgres'), join(copy, 'bin/initdb'), join(copy, 'share')])).toBe(true);
    const closed = makeFolder();
    chmodSync(closed, 0o700);
    expect(canReach(account, [join(closed, 'postgres')])).toBe(false);
  });

  test('data that belong to an account keep it', async () => {
    const folder = makeFolder();
    const owned = join(folder, 'owned');
    mkdirSync(owned);
    chownSync(owned, nobody.uid, nobody.gid);
    expect(findServerAccount(owned)).toEqual(nobody);
  });
});

const canRunAsNobody = isRoot && canReach(nobody, [fixture('')]);

test.skipIf(!canRunAsNobody)('as an ordinary user, PostgreSQL and Redis run as that user', async () => {
  const folder = makeFolder();
  chownSync(folder, nobody.uid, nobody.gid);
  const postgres = await spawnStarter('postgres', folder, nobody);
  const redis = await spawnStarter('redis', folder, nobody);
  expect(statSync(`/proc/${postgres.told.pid}`).uid).toBe(nobody.uid);
  expect(statSync(`/proc/${redis.told.pid}`).uid).toBe(nobody.uid);
  const client = new pg.Client({ connectionString: postgres.told.url });
  await client.connect();
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});
