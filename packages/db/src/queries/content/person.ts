import { type RawBuilder, sql } from 'kysely';

/** An administrator as others see them; null: nobody, or a deleted account. */
export type Person = { id: string; firstName: string | null; email: string } | null;

/** The account that a query joins as `alias`. */
export const personOf = (alias: 'author' | 'editor' | 'uploader' | 'assignee'): RawBuilder<Person> => {
  const [id, firstName, email] = [sql.ref(`${alias}.id`), sql.ref(`${alias}.firstName`), sql.ref(`${alias}.email`)];
  return sql<Person>`case when ${id} is not null
    then jsonb_build_object('id', ${id}, 'firstName', ${firstName}, 'email', ${email}) end`;
};

/** The name under which an author is public; null without a name, or after the account was deleted. */
export const publicNameOf = (alias: 'author'): RawBuilder<string | null> =>
  sql<string | null>`nullif(trim(concat_ws(' ',
    ${sql.ref(`${alias}.firstName`)}, ${sql.ref(`${alias}.lastName`)})), '')`;
