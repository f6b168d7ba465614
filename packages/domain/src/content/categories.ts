import { AppError } from '@uprez/contracts/errors/app-error';
import type { ArticleKind } from '@uprez/contracts/policy/articles';
import type { Category, CategoryChanges, NewCategory } from '@uprez/contracts/schemas/content/articles';
import { makeSlug } from '@uprez/contracts/texts/make-slug';
import type { Tx } from '@uprez/db/database';
import { isUniqueViolation } from '@uprez/db/database-errors';
import { insertAudit } from '@uprez/db/queries/audit/audit-log';
import {
  type CategoryRow,
  type CountedCategory,
  deleteCategory as deleteRow,
  findCategoryBySlug,
  findConflictingCategory,
  insertCategory,
  insertCategoryRedirect,
  listCategorySlugs,
  listCategories as listRows,
  lockCategory,
  updateCategory as updateRow,
} from '@uprez/db/queries/content/categories';
import { uuidv7 } from 'uuidv7';
import { getByUuid } from '../actor.ts';
import { type Administrator, lockAdmin, toAuditFields } from '../admin/administrator.ts';
import { diffFields } from '../admin/change-user.ts';
import type { Needs } from '../context.ts';
import { isSlug, numberSlug } from './text/make-slug.ts';

/**
 * Returns the categories of a kind, oldest first, each with its number of public articles. Defaults to the blog's
 * categories.
 */
export const listCategories = async ({ db }: Needs<'db'>, kind: ArticleKind = 'post'): Promise<Category[]> =>
  (await listRows(db, kind)).map(presentCategory);

/** Returns the current slug of the blog category that has or had `slug`. Undefined if no category matches. */
export const findCategorySlug = async ({ db }: Needs<'db'>, slug: string): Promise<string | undefined> =>
  isSlug(slug) ? (await findCategoryBySlug(db, 'post', slug))?.slug : undefined;

const presentCategory = ({ kind: _, createdAt, ...category }: CountedCategory): Category => ({
  ...category,
  createdAt: createdAt.toISOString(),
});

type CategoryText = Pick<CategoryRow, 'name' | 'slug' | 'description'>;
type NewRow = Omit<CategoryRow, 'createdAt'>;
type Change = { admin: Administrator; id: string };

/** Creates a category. Throws `slug_taken` if another category already has the same name or slug. */
export const createCategory = (
  { db }: Needs<'db'>,
  { admin, category }: { admin: Administrator; category: NewCategory },
): Promise<Category> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const row = await fillSlug(tx, { ...category, id: uuidv7() });
    await requireUniqueCategory(tx, row);
    const created = await convertUniqueViolation(insertCategory(tx, row));
    const [before, after] = [{ name: null, slug: null, description: null }, textOf(created)];
    const subject = `category:${created.id}`;
    await insertAudit(tx, { ...toAuditFields(admin), action: 'category.create', subject, before, after });
    return presentCategory(created);
  });

/** Updates a category. Omitted fields keep their values. Throws `category_not_found` and `slug_taken`. */
export const updateCategory = (
  { db }: Needs<'db'>,
  { admin, id, changes }: Change & { changes: CategoryChanges },
): Promise<Category> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const held = await requireCategory(tx, id);
    const { name = held.name, slug = held.slug, description = held.description } = changes;
    const changed = await fillSlug(tx, { ...held, name, slug, description });
    await requireUniqueCategory(tx, changed);
    const updated = await convertUniqueViolation(updateRow(tx, held.id, textOf(changed)));
    if (updated.slug !== held.slug) await insertCategoryRedirect(tx, held);
    const difference = diffFields(textOf(held), textOf(updated));
    const about = { action: 'category.update', subject: `category:${held.id}` };
    if (difference) await insertAudit(tx, { ...toAuditFields(admin), ...about, ...difference });
    return presentCategory(updated);
  });

/** Deletes a category, but not its articles. Throws `category_not_found`. */
export const deleteCategory = ({ db }: Needs<'db'>, { admin, id }: Change): Promise<void> =>
  db.transaction().execute(async (tx) => {
    await lockAdmin(tx, admin);
    const held = await requireCategory(tx, id);
    await deleteRow(tx, held.id);
    const [before, after] = [textOf(held), { name: null, slug: null, description: null }];
    const subject = `category:${held.id}`;
    await insertAudit(tx, { ...toAuditFields(admin), action: 'category.delete', subject, before, after });
  });

const textOf = ({ name, slug, description }: CategoryText): CategoryText => ({ name, slug, description });

/** If the slug is empty, makes one from the name. Appends a number if that slug is taken. */
const fillSlug = async (tx: Tx, category: NewRow): Promise<NewRow> => ({
  ...category,
  slug: category.slug || numberSlug(makeSlug(category.name) || 'category', await listCategorySlugs(tx, category)),
});

async function requireCategory(tx: Tx, id: string): Promise<CategoryRow> {
  return getByUuid(id, () => lockCategory(tx, id), 'category_not_found');
}

async function requireUniqueCategory(tx: Tx, category: NewRow): Promise<void> {
  const other = await findConflictingCategory(tx, category);
  if (other) throw makeTakenError(other.slug.toLowerCase() === category.slug ? 'slug' : 'name');
}

const makeTakenError = (param: 'slug' | 'name') =>
  new AppError('slug_taken', { param, detail: `Another category already has this ${param}. Choose another one.` });

/** Another transaction may have taken the slug since it was checked. */
const convertUniqueViolation = (written: Promise<CountedCategory>): Promise<CountedCategory> =>
  written.catch((error: unknown) => {
    throw isUniqueViolation(error) ? makeTakenError('slug') : error;
  });
