import { type RawBuilder, sql } from 'kysely';

/** An administrator as shown to other administrators. Null if nobody is set, or if the account was deleted. */
export type Person = { id: string; firstName: string | null; email: string } | null;

/** SQL expression for a `Person` from the account that a query joins as `alias`. */
export const selectPerson = (alias: 'author' | 'editor' | 'uploader' | 'assignee'): RawBuilder<Person> => {
  const [id, firstName, email] = [sql.ref(`${alias}.id`), sql.ref(`${alias}.firstName`), sql.ref(`${alias}.email`)];
  return sql<Person>`case when ${id} is not null
    then jsonb_build_object('id', ${id}, 'firstName', ${firstName}, 'email', ${email}) end`;
};

/** SQL expression for an author's public name. Null without a name, or after the account was deleted. */
export const selectPublicName = (alias: 'author'): RawBuilder<string | null> =>
  sql<string | null>`nullif(trim(concat_ws(' ',
    ${sql.ref(`${alias}.firstName`)}, ${sql.ref(`${alias}.lastName`)})), '')`;
