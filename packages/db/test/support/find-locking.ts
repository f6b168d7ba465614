/** A statement that blocks other sessions for as long as it reads or rewrites a table, and how to write it instead. */
export type Locking = { statement: string; rewrite: string };

type Found = string | false | undefined;
/** `before`: the statements of the migration so far. */
type Context = { statement: string; before: readonly string[]; isConcurrent: boolean };
type Rule = (context: Context) => Found;

const name = '(?:"[^"]+"|[a-z0-9_.]+)';
const allowed = /^\/\* locks: \S.{9,} \*\//s;

const text = {
  index:
    'Use `drop index concurrently if exists` and `create index concurrently` in a migration with `isConcurrent: true`.',
  dropIndex: 'Use `drop index concurrently` in a migration with `isConcurrent: true`.',
  leftover: 'Put `drop index concurrently if exists` before it: an interrupted build leaves an invalid index.',
  transaction: 'It fails in a transaction. Put it into a migration of its own with `isConcurrent: true`.',
  default: 'Add the column without the default, set the default in another statement, and fill rows in batches.',
  generated: 'It rewrites the table. Add an ordinary column, write it in the code, and fill rows in batches.',
  inline: 'Add the column alone. Add the constraint as `not valid`, and validate it in the next migration.',
  inlineIndex: 'Add the column alone, create a unique index concurrently, and use `add constraint ... using index`.',
  notNull: 'Add `check (column is not null) not valid`, validate it in the next migration, then set `not null`.',
  type: 'It rewrites the table. Add a column of the new type, write both, fill rows in batches, and read the new one.',
  constraint: 'Add it as `not valid`, and run `validate constraint` in the next migration.',
  constraintIndex: 'Create a unique index concurrently, and use `add constraint ... using index`.',
  exclude: 'It reads the table under a lock. Create a new table with the constraint, and move rows in batches.',
  validate: 'The lock of `not valid` is held until the transaction ends. Validate it in the next migration.',
  rename:
    'Services of the former version use the old name. Add a new one, write both, and drop the old one a release later.',
  drop: 'Services of the former version use it. Drop it in the release after the last that does, and state that release.',
  rows: 'It locks every row until the transaction ends. Fill rows in batches by a scheduled task.',
  rewriteAll: 'It rewrites or locks the whole table. Use the concurrent form, or move rows to a new table in batches.',
};

/** Constants and functions of which PostgreSQL stores the value once: adding such a default doesn't rewrite the table. */
const storedDefault =
  /\bdefault\s+(?:'(?:[^']|'')*'(?:::[a-z0-9_ ]+(?:\[\])?)?|-?\d+(?:\.\d+)?|true|false|null|now\(\)|current_timestamp|transaction_timestamp\(\)|array\[\](?:::[a-z0-9_ ]+\[\])?)(?=\s|,|$)/;

const addsColumn = new RegExp(
  String.raw`\badd (?:column )?(?:if not exists )?(?!constraint\b|primary key|unique\b|check\b|foreign key|exclude\b)${name} `,
);
const columnRule =
  (pattern: RegExp, rewrite: string): Rule =>
  ({ statement }) =>
    addsColumn.test(statement) && pattern.test(statement) && rewrite;

const rules: readonly Rule[] = [
  ({ statement }) => /^create (?:unique )?index (?!concurrently)/.test(statement) && text.index,
  ({ statement }) => /^drop index (?!concurrently)/.test(statement) && text.dropIndex,
  ({ statement, before }) => {
    const index = new RegExp(`^create (?:unique )?index concurrently (?:if not exists )?(${name}) on `).exec(
      statement,
    )?.[1];
    return index && !before.includes(`drop index concurrently if exists ${index}`) && text.leftover;
  },
  ({ statement, isConcurrent }) => !isConcurrent && / concurrently\b/.test(statement) && text.transaction,
  columnRule(/\b(?:big|small)?serial\b|\bgenerated (?:always|by default) as identity/, text.generated),
  columnRule(/\bgenerated always as \(/, text.generated),
  ({ statement }) =>
    addsColumn.test(statement) && /\bdefault\b/.test(statement) && !storedDefault.test(statement) && text.default,
  columnRule(/\b(?:primary key|unique)\b/, text.inlineIndex),
  columnRule(/\b(?:references|check)\b/, text.inline),
  ({ statement }) =>
    addsColumn.test(statement) && /\bnot null\b/.test(statement) && !/\bdefault\b/.test(statement) && text.notNull,
  findNotNull,
  ({ statement }) => /\balter (?:column )?\S+ (?:set data )?type\b/.test(statement) && text.type,
  ({ statement }) =>
    addsConstraint(statement, 'check|foreign key') && !/ not valid\b/.test(statement) && text.constraint,
  ({ statement }) =>
    addsConstraint(statement, 'primary key|unique') && !/ using index /.test(statement) && text.constraintIndex,
  ({ statement }) => addsConstraint(statement, 'exclude') && text.exclude,
  ({ statement, before }) => {
    const constraint = new RegExp(`\\bvalidate constraint (${name})`).exec(statement)?.[1];
    return constraint && before.some((earlier) => earlier.includes(`add constraint ${constraint} `)) && text.validate;
  },
  ({ statement }) => /^alter (?:table|view|type) .*\brename (?!constraint\b|value\b)/.test(statement) && text.rename,
  ({ statement }) => /^drop (?:table|view|type|function)\b/.test(statement) && text.drop,
  ({ statement }) =>
    /^alter table .*\bdrop (?!constraint\b|not null\b|default\b|expression\b|identity\b)(?:column )?/.test(
      withoutProperties(statement),
    ) && text.drop,
  ({ statement }) => /^(?:update|delete from) (?!.* where )/.test(statement) && text.rows,
  ({ statement }) =>
    /^(?:truncate|lock|cluster|vacuum full|reindex (?!.*concurrently)|refresh materialized view (?!concurrently))/.test(
      statement,
    ) && text.rewriteAll,
  ({ statement }) =>
    /^alter table .*\bset (?:logged|unlogged|tablespace|access method)\b/.test(statement) && text.rewriteAll,
];

/** Without `alter column x drop ...`, which drops a property. */
const withoutProperties = (statement: string) =>
  statement.replaceAll(new RegExp(`alter (?:column )?${name} drop `, 'g'), '');

const addsConstraint = (statement: string, kinds: string) =>
  new RegExp(String.raw`^alter table .*\badd (?:constraint ${name} )?(?:${kinds})\b`).test(statement);

/** A check that was validated earlier lets PostgreSQL set `not null` without reading the table. */
function findNotNull({ statement, before }: Context): Found {
  const column = new RegExp(`\\balter (?:column )?(${name}) set not null`).exec(statement)?.[1];
  if (!column) return undefined;
  const isValidated = before.some((earlier) => earlier.includes('validate constraint '));
  return isValidated ? undefined : text.notNull;
}

/** Lower case, one space between words, without comments and texts. */
const normalize = (statement: string) =>
  statement
    .replaceAll(/\/\*.*?\*\//gs, ' ')
    .replaceAll(/--[^\n]*/g, ' ')
    .replaceAll(
      /'(?:[^']|'')*'|("[^"]*")|([^'"]+)/g,
      (_all, name?: string, plain?: string) => name ?? plain?.toLowerCase().replaceAll(/\s+/g, ' ') ?? "''",
    )
    .trim()
    .replace(/;$/, '');

/** The table that a statement changes. */
const tableOf = (statement: string) =>
  new RegExp(
    `^(?:alter table (?:if exists )?(?:only )?|create (?:unique )?index .*? on (?:only )?|update |delete from |truncate (?:table )?|drop table (?:if exists )?)(${name})`,
  ).exec(statement)?.[1];

/**
 * The statements of a migration that lock a table which existed before. A statement that starts with
 * `/* locks: REASON *\/` is allowed. The reason has at least 10 characters.
 */
export function findLocking(statements: readonly string[], { isConcurrent = false } = {}): Locking[] {
  const before: string[] = [];
  const found: Locking[] = [];
  const created = new Set<string>();
  for (const original of statements) {
    const statement = normalize(original);
    const table = tableOf(statement);
    const newTable = new RegExp(`^create table (?:if not exists )?(${name})`).exec(statement)?.[1];
    if (newTable) created.add(newTable);
    const isExempt = allowed.test(original.trim()) || (table !== undefined && created.has(table));
    const rewrite = isExempt ? undefined : firstOf(rules, { statement, before, isConcurrent });
    if (rewrite) found.push({ statement: original, rewrite });
    before.push(statement);
  }
  return found;
}

function firstOf(all: readonly Rule[], context: Context): string | undefined {
  for (const rule of all) {
    const rewrite = rule(context);
    if (rewrite) return rewrite;
  }
  return undefined;
}
