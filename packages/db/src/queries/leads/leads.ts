import type { Insertable } from 'kysely';
import type { DbOrTx } from '../../database.ts';
import type { LeadsTable } from '../../tables/coupon-tables.ts';

export const insertLead = (db: DbOrTx, row: Insertable<LeadsTable>) => db.insertInto('leads').values(row).execute();
