// cspell:ignore atthasdef attidentity attisdropped attname attrdef attnotnull attnum attrelid atttypid atttypmod adbin adnum adrelid cfgname cfgnamespace conname connamespace constraintdef contype conrelid functiondef indexrelid indrelid lanname pronamespace prolang regclass regnamespace relkind relname relnamespace reloptions seqrelid seqstart tgisinternal tgrelid triggerdef
import type { Db } from '@uprez/db/database';
import { sql } from 'kysely';

/**
 * The columns, constraints, indexes, triggers, functions, and sequences of a database, as PostgreSQL writes them. Columns say
 * whether they can be null: PostgreSQL 18 also names these constraints, after what the column was called when it was created.
 */
export async function listSchema(db: Db): Promise<string[]> {
  const { rows } = await sql<{ line: string }>`
    with tables as (
      select oid, relname, reloptions from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r'
    )
    select relname || ' with ' || coalesce(reloptions::text, '{}') as line from tables
    union all
    select concat_ws(' ', relname, row_number() over (partition by attrelid order by attnum), attname,
      format_type(atttypid, atttypmod), attnotnull, attidentity, pg_get_expr(adbin, adrelid))
      from tables join pg_attribute on attrelid = tables.oid and attnum > 0 and not attisdropped
      left join pg_attrdef on adrelid = attrelid and adnum = attnum
    union all
    select concat_ws(' ', conrelid::regclass, conname, pg_get_constraintdef(oid)) from pg_constraint
      where connamespace = 'public'::regnamespace and contype <> 'n'
    union all select pg_get_indexdef(indexrelid) from pg_index join tables on oid = indrelid
    union all select pg_get_triggerdef(pg_trigger.oid) from pg_trigger join tables on tables.oid = tgrelid
      where not tgisinternal
    union all select pg_get_functiondef(pg_proc.oid) from pg_proc join pg_language on pg_language.oid = prolang
      where pronamespace = 'public'::regnamespace and lanname = 'plpgsql'
    union all select concat_ws(' ', seqrelid::regclass, seqstart) from pg_sequence
    union all select cfgname from pg_ts_config where cfgnamespace = 'public'::regnamespace
    order by 1`.execute(db);
  return rows.map(({ line }) => line);
}
