import {
  countInvitations,
  listInvitations as listRows,
  type ListedInvitation as Row,
} from '@uprez/db/queries/accounts/invitations';
import type { Needs } from '../../context.ts';
import { type IdPageQuery, parseUuid, readAllIds, readIdPage } from '../../read-id-pages.ts';
import type { TablePage } from '../../read-table.ts';

/** `inviterEmail`: email address of the administrator who sent the invitation. */
export type ListedInvitation = Row;

const listOf = ({ db }: Needs<'db'>) => ({
  list: (page: Parameters<typeof listRows>[1]) => listRows(db, page),
  count: () => countInvitations(db),
});

/** Returns a page of the invitations that weren't accepted, newest first. Throws `invalid_parameter`. */
export const listInvitations = (ctx: Needs<'db'>, page: IdPageQuery): Promise<TablePage<ListedInvitation>> =>
  readIdPage({ list: 'invitations', parseId: parseUuid, ...page }, listOf(ctx));

/** Streams the invitations that weren't accepted, page by page. Throws `export_too_large`. */
export const exportInvitations = (ctx: Needs<'db'>): Promise<AsyncIterable<ListedInvitation[]>> =>
  readAllIds(listOf(ctx));
