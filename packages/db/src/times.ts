import { type RawBuilder, sql } from 'kysely';

/** The database's clock: the only one that decides anything. */
export const now: RawBuilder<Date> = sql<Date>`now()`;

/** A moment `seconds` from now by the database's clock; negative for the past. */
export const afterSeconds = (seconds: number): RawBuilder<Date> => sql<Date>`now() + make_interval(secs => ${seconds})`;
