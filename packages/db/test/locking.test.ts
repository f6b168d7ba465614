import { expect, it } from 'vitest';
import { migrations } from '../src/migrate.ts';
import { runAll } from '../src/run-all.ts';
import { findLocking } from './support/find-locking.ts';
import { listStatements } from './support/list-statements.ts';

it('finds no statement that locks a table in the migrations that run while services use the database', async () => {
  const refused: string[] = [];
  for (const [name, migration] of Object.entries(migrations)) {
    const found = findLocking(await listStatements(migration), { isConcurrent: migration.isConcurrent });
    refused.push(...found.map(({ statement, rewrite }) => `${name}: ${statement}\n  ${rewrite}`));
  }
  expect(refused, 'See docs/operations/upgrade.md.').toEqual([]);
});

it('reads the statements of a migration, and finds its locks', async () => {
  const up = runAll([
    'alter table media add change integer',
    'create index media_stale on media (id) where change > 0',
  ]);
  const found = findLocking(await listStatements({ up }));
  expect(found.map(({ statement }) => statement)).toEqual(['create index media_stale on media (id) where change > 0']);
});

it.each([
  ['create index jobs_a on jobs (a)', 'create index concurrently'],
  ['CREATE UNIQUE INDEX jobs_a\n  ON jobs (a)', 'create index concurrently'],
  ['drop index jobs_a', 'drop index concurrently'],
  ['create index concurrently jobs_a on jobs (a)', 'drop index concurrently if exists'],
  ['drop index concurrently jobs_a', 'isConcurrent: true'],
  ['alter table jobs add a uuid not null default gen_random_uuid()', 'set the default in another statement'],
  ['alter table jobs add column a timestamptz default clock_timestamp()', 'set the default in another statement'],
  ['alter table jobs add a bigserial', 'rewrites the table'],
  ['alter table jobs add a int generated always as identity', 'rewrites the table'],
  ['alter table jobs add a text generated always as (b || c) stored', 'rewrites the table'],
  ['alter table jobs add a text unique', 'using index'],
  ['alter table jobs add a uuid references users', 'not valid'],
  ["alter table jobs add a text default 'x' check (a <> '')", 'not valid'],
  ['alter table jobs add a text not null', 'check (column is not null) not valid'],
  ['alter table jobs alter column a set not null', 'check (column is not null) not valid'],
  ['alter table jobs alter column a type bigint', 'Add a column of the new type'],
  ['alter table jobs alter a set data type bigint using a::bigint', 'Add a column of the new type'],
  ['alter table jobs add constraint jobs_a check (a > 0)', 'validate constraint'],
  ['alter table jobs add constraint jobs_a foreign key (a) references users', 'validate constraint'],
  ['alter table jobs add foreign key (a) references users', 'validate constraint'],
  ['alter table jobs add constraint jobs_a unique (a)', 'using index'],
  ['alter table jobs add primary key (a)', 'using index'],
  ['alter table jobs rename column a to b', 'drop the old one a release later'],
  ['alter table jobs rename to tasks', 'drop the old one a release later'],
  ['alter table jobs drop column a', 'the release after the last'],
  ['alter table jobs add a int, drop b', 'the release after the last'],
  ['drop table jobs', 'the release after the last'],
  ['update jobs set a = 1', 'in batches'],
  ['delete from jobs', 'in batches'],
  ['truncate jobs', 'concurrent form'],
  ['lock table jobs', 'concurrent form'],
  ['refresh materialized view totals', 'concurrent form'],
  ['alter table jobs set unlogged', 'concurrent form'],
])('refuses %j with the rewrite', (statement, rewrite) => {
  expect(findLocking([statement])).toEqual([{ statement, rewrite: expect.stringContaining(rewrite) }]);
});

it('refuses to validate a constraint in the migration that adds it', () => {
  const add = 'alter table jobs add constraint jobs_a check (a > 0) not valid';
  const validate = 'alter table jobs validate constraint jobs_a';
  expect(findLocking([add, validate])).toEqual([{ statement: validate, rewrite: expect.stringContaining('next') }]);
  expect(findLocking([add])).toEqual([]);
  expect(
    findLocking([validate, 'alter table jobs alter a set not null', 'alter table jobs drop constraint jobs_a']),
  ).toEqual([]);
});

it.each([
  ['alter table jobs add a text'],
  ["alter table jobs add a text not null default 'check this, drop that'"],
  ['alter table jobs add a timestamptz not null default now()'],
  ["alter table jobs add a text[] not null default '{}', add b jsonb not null default '{}'::jsonb"],
  ['alter table jobs add a int default -1, add b boolean not null default false'],
  ['alter table jobs alter a set default gen_random_uuid()'],
  ['alter table jobs alter a drop not null'],
  ['alter table jobs alter column a drop default'],
  ['alter table jobs drop constraint jobs_a'],
  ['alter table jobs add constraint jobs_a unique using index jobs_a_index'],
  ['alter index jobs_a set (fastupdate = off)'],
  ['update jobs set a = 1 where id = 1'],
  ["comment on table jobs is 'lock table jobs'"],
])('allows %j', (statement) => {
  expect(findLocking([statement])).toEqual([]);
});

it('allows everything on a table that the migration creates, and concurrent indexes', () => {
  expect(
    findLocking([
      'create table a (id int)',
      'create index a_id on a (id)',
      'alter table a add b uuid references users',
    ]),
  ).toEqual([]);
  const index = ['drop index concurrently if exists jobs_a', 'create index concurrently jobs_a on jobs (a)'];
  expect(findLocking(index, { isConcurrent: true })).toEqual([]);
});

it('allows a statement that states a reason, and no other comment', () => {
  const drop = 'drop table old_jobs';
  expect(findLocking([`/* locks: unused since release 12 */ ${drop}`])).toEqual([]);
  expect(findLocking([`/* locks: ok */ ${drop}`, `/* unused since release 12 */ ${drop}`])).toHaveLength(2);
});
