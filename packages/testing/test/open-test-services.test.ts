import { existsSync, mkdirSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { openTestServices, type TestServices } from '@uprez/testing/services/open-test-services';
import { Redis } from 'ioredis';
import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';

/** No process has this pid, because the maximum on Linux is 2^22. */
const DEAD_PID = 2 ** 22 + 1;
const deadFolder = join(tmpdir(), `uprez-test-${DEAD_PID}-x`);

let services: TestServices;
beforeAll(async () => {
  mkdirSync(deadFolder, { recursive: true });
  services = await openTestServices();
});
afterAll(async () => {
  await services.close();
  rmSync(deadFolder, { recursive: true, force: true });
});

test('the PostgreSQL role can create databases from a template', async () => {
  const client = new pg.Client({ connectionString: services.databaseUrl });
  await client.connect();
  await client.query('create database made_from_template template template1');
  await client.query('drop database made_from_template');
  await client.end();
});

test('Redis has the configuration that the product requires', async () => {
  const client = new Redis(services.redisUrl);
  expect(await client.config('GET', 'appendonly')).toEqual(['appendonly', 'yes']);
  expect(await client.config('GET', 'maxmemory-policy')).toEqual(['maxmemory-policy', 'noeviction']);
  client.disconnect();
});

test('deletes the data of a killed run and keeps that of a running one', () => {
  expect(existsSync(deadFolder)).toBe(false);
  if (services.postgresDir) expect(statSync(dirname(services.postgresDir)).isDirectory()).toBe(true);
});

test('closing removes the data', async () => {
  const again = await openTestServices();
  const folder = again.postgresDir && dirname(again.postgresDir);
  await again.close();
  if (folder) expect(existsSync(folder)).toBe(false);
});
