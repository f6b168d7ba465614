import { chmodSync, chownSync, existsSync, mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import pg from 'pg';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openPostgres } from '../src/open-postgres.ts';
import { canReach, findBinaries, findServerAccount, relocateBinaries } from '../src/place-cluster.ts';
import { removePostgresData } from '../src/remove-data.ts';
import { fixture, isRoot, makeFolder, password, spawnStarter } from './helpers.ts';

const nobody = { uid: 65_534, gid: 65_534 };

describe.skipIf(!isRoot)('as root', () => {
  it('runs PostgreSQL as another user, in the requested folder if that user can reach it', async () => {
    const folder = makeFolder();
    const postgres = await openPostgres({ dataDir: join(folder, 'postgres'), password, fsync: false });
    onTestFinished(() => postgres.stop());
    expect(postgres.dataDir).toBe(join(folder, 'postgres'));
    expect(statSync(postgres.dataDir).uid).not.toBe(0);
    expect(statSync(`/proc/${postgres.pid}`).uid).toBe(statSync(postgres.dataDir).uid);
  });

  it('places data below /var/tmp if that user cannot reach the requested folder, and finds them again', async () => {
    const folder = makeFolder();
    chmodSync(folder, 0o700);
    const dataDir = join(folder, 'hidden');
    onTestFinished(() => removePostgresData(dataDir));
    const first = await openPostgres({ dataDir, password, fsync: false });
    expect(first.dataDir).toMatch(/^\/var\/tmp\/uprez-postgres-data-/);
    await first.stop();

    // The data must be found even when the requested folder becomes reachable.
    chmodSync(folder, 0o711);
    const second = await openPostgres({ dataDir, password, fsync: false });
    expect(second.dataDir).toBe(first.dataDir);
    await second.stop();
    await removePostgresData(dataDir);
    expect(existsSync(first.dataDir)).toBe(false);
  });

  it('copies binaries to a folder that the user can reach', () => {
    const account = findServerAccount(undefined) ?? nobody;
    const copy = relocateBinaries(findBinaries(), () => undefined);
    expect(canReach(account, [join(copy, 'bin/postgres'), join(copy, 'bin/initdb'), join(copy, 'share')])).toBe(true);
    const closed = makeFolder();
    chmodSync(closed, 0o700);
    expect(canReach(account, [join(closed, 'postgres')])).toBe(false);
  });

  it('keeps the owner of existing data', async () => {
    const folder = makeFolder();
    const owned = join(folder, 'owned');
    mkdirSync(owned);
    chownSync(owned, nobody.uid, nobody.gid);
    expect(findServerAccount(owned)).toEqual(nobody);
  });
});

const canRunAsNobody = isRoot && canReach(nobody, [fixture('')]);

it.skipIf(!canRunAsNobody)('runs PostgreSQL and Redis as the current user if that is not root', async () => {
  const folder = makeFolder();
  chownSync(folder, nobody.uid, nobody.gid);
  const postgres = await spawnStarter('postgres', folder, nobody);
  const redis = await spawnStarter('redis', folder, nobody);
  expect(statSync(`/proc/${postgres.output.pid}`).uid).toBe(nobody.uid);
  expect(statSync(`/proc/${redis.output.pid}`).uid).toBe(nobody.uid);
  const client = new pg.Client({ connectionString: postgres.output.url });
  await client.connect();
  expect((await client.query('select 1 as one')).rows).toEqual([{ one: 1 }]);
  await client.end();
});
