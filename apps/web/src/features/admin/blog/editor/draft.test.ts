import { ApiError } from '@uprez/client/api-error';
import type { Article, ArticleFields } from '@uprez/contracts/schemas/content/articles';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Draft } from './draft.ts';

const fields: ArticleFields = {
  ...{ title: 'One', slug: '', excerpt: '', content: '', categoryIds: [], featured: false },
  seo: { title: '', description: '' },
  featuredMediaId: null,
};
const article = { fields, version: 3, saved: null, readingMinutes: 1 } as unknown as Article;

type Answer = (saved: { version: number } | Error) => void;
let answers: Answer[] = [];
const save = vi.fn(
  (_: ArticleFields, __: number) =>
    new Promise<{ version: number; savedAt: string; readingMinutes: number }>((resolve, reject) => {
      answers.push((result) =>
        result instanceof Error ? reject(result) : resolve({ ...result, savedAt: 'now', readingMinutes: 2 }),
      );
    }),
);
const keep = vi.fn();
const open = (kept?: { fields: ArticleFields; version: number }) => new Draft({ article, kept, save, keep });
const answer = async (result: { version: number } | Error) => {
  answers.shift()?.(result);
  await vi.advanceTimersByTimeAsync(0);
};
const sent = () => save.mock.calls.map(([{ title, content }, version]) => [title, content, version]);

beforeEach(() => {
  vi.useFakeTimers();
  answers = [];
  save.mockClear();
  keep.mockClear();
});
afterEach(() => vi.useRealTimers());

it('saves 2 s after the last change, with the version that the last save returned', async () => {
  const draft = open();
  draft.change({ title: 'Two' });
  await vi.advanceTimersByTimeAsync(1_900);
  draft.change({ title: 'Three' });
  await vi.advanceTimersByTimeAsync(1_900);
  expect(sent()).toEqual([]);
  await vi.advanceTimersByTimeAsync(100);
  expect(sent()).toEqual([['Three', '', 3]]);
  expect(draft.store.getState()).toMatchObject({ isSaving: true, isDirty: true });
  await answer({ version: 4 });
  expect(draft.store.getState()).toMatchObject({ isSaving: false, isDirty: false, version: 4, savedAt: 'now' });
  expect(keep).toHaveBeenLastCalledWith(undefined);
  draft.change({ title: 'Four' });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent().at(-1)).toEqual(['Four', '', 4]);
});

it('saves a new article with its first change, once, and not if the change is taken back', async () => {
  const draft = new Draft({ article, isNew: true, save, keep });
  draft.change({ title: 'T' });
  draft.change({ title: 'One' });
  await vi.advanceTimersByTimeAsync(2_000);
  expect(await draft.flush()).toBe(true);
  expect(sent()).toEqual([]);
  expect(draft.store.getState()).toMatchObject({ isNew: true, isDirty: false });
  draft.change({ title: 'Two' });
  const saves = [draft.flush(), draft.flush()];
  await vi.advanceTimersByTimeAsync(0);
  await answer({ version: 1 });
  expect(await Promise.all(saves)).toEqual([true, true]);
  expect(sent()).toEqual([['Two', '', 3]]);
  expect(draft.store.getState()).toMatchObject({ isNew: false, version: 1 });
});

it('saves a new article whose first text was rejected, also without that text', async () => {
  const draft = new Draft({ article, isNew: true, save, keep });
  draft.change({ title: 'Two' });
  await vi.advanceTimersByTimeAsync(2_000);
  draft.store.setState({ isCreated: true });
  await answer(new ApiError({ status: 409, code: 'slug_taken' }, 'Taken.'));
  draft.change({ title: 'One' });
  await vi.advanceTimersByTimeAsync(2_000);
  await answer({ version: 4 });
  expect(sent()).toEqual([
    ['Two', '', 3],
    ['One', '', 3],
  ]);
  expect(draft.store.getState()).toMatchObject({ isNew: false, isDirty: false });
});

it('sends a change during a save after it, and never two at a time', async () => {
  const draft = open();
  draft.change({ title: 'Two' });
  await vi.advanceTimersByTimeAsync(2_000);
  draft.change({ title: 'Three' });
  await vi.advanceTimersByTimeAsync(5_000);
  expect(sent()).toHaveLength(1);
  await answer({ version: 4 });
  expect(sent()).toEqual([
    ['Two', '', 3],
    ['Three', '', 4],
  ]);
});

it('reads the text of the editor when it is sent', async () => {
  const draft = open();
  const read = vi.fn(() => 'Text');
  draft.changeContent(read);
  draft.changeContent(read);
  expect(read).not.toHaveBeenCalled();
  const flushed = draft.flush();
  await vi.advanceTimersByTimeAsync(0);
  await answer({ version: 4 });
  expect(await flushed).toBe(true);
  expect(read).toHaveBeenCalledOnce();
  expect(sent()).toEqual([['One', 'Text', 3]]);
});

it('keeps the draft and shows the field when a save is refused, and saves after the next change', async () => {
  const draft = open();
  draft.change({ slug: 'taken' });
  await vi.advanceTimersByTimeAsync(2_000);
  await answer(new ApiError({ status: 422, code: 'slug_taken', param: 'fields/slug' }, 'Taken.'));
  expect(draft.store.getState()).toMatchObject({ isDirty: true, failure: 'Taken.', errors: { slug: 'Taken.' } });
  expect(keep).toHaveBeenLastCalledWith({ fields: { ...fields, slug: 'taken' }, version: 3 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toHaveLength(1);
  draft.change({ slug: 'free' });
  expect(draft.store.getState().errors).toEqual({});
  await vi.advanceTimersByTimeAsync(2_000);
  await answer({ version: 4 });
  expect(draft.store.getState()).toMatchObject({ isDirty: false, failure: undefined });
});

it('repeats a save that the server did not answer', async () => {
  const draft = open();
  draft.change({ title: 'Two' });
  await vi.advanceTimersByTimeAsync(2_000);
  await answer(new TypeError('Failed to fetch'));
  expect(draft.store.getState().isDirty).toBe(true);
  await vi.advanceTimersByTimeAsync(10_000);
  await answer({ version: 4 });
  expect(draft.store.getState().isDirty).toBe(false);
});

const theirs = { ...fields, title: 'Theirs' };
async function makeConflict() {
  const draft = open();
  draft.change({ title: 'Mine' });
  await vi.advanceTimersByTimeAsync(2_000);
  const by = { id: 'a2b5cc5c-6f5c-4f3b-9f5d-0d8a7e0f7c11', firstName: 'Ada', email: 'ada@example.test' };
  const meta = { fields: theirs, version: 9, by, at: '2026-11-05T12:30:00.000Z' };
  await answer(new ApiError({ status: 409, code: 'edit_conflict', meta }, 'Changed.'));
  return draft;
}

it('stops saving at a conflict, until one of both texts is chosen', async () => {
  const draft = await makeConflict();
  expect(draft.store.getState().conflict).toMatchObject({ fields: theirs, version: 9, by: { firstName: 'Ada' } });
  draft.change({ title: 'Mine, too' });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toHaveLength(1);
  draft.keepMine();
  await vi.advanceTimersByTimeAsync(0);
  expect(sent().at(-1)).toEqual(['Mine, too', '', 9]);
});

it('replaces the text by that of the other editor', async () => {
  const draft = await makeConflict();
  draft.useTheirs();
  const state = draft.store.getState();
  expect(state).toMatchObject({ fields: theirs, version: 9, isDirty: false, conflict: undefined, epoch: 1 });
  await vi.advanceTimersByTimeAsync(60_000);
  expect(sent()).toHaveLength(1);
});

it('saves what was kept from an earlier visit, and keeps what is unsaved at the end', async () => {
  const draft = open({ fields: { ...fields, title: 'Kept' }, version: 2 });
  draft.resume();
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent()).toEqual([['Kept', '', 2]]);
  draft.close();
  expect(keep).toHaveBeenLastCalledWith({ fields: { ...fields, title: 'Kept' }, version: 2 });
});

it('keeps what was typed since the last save when the page is left', () => {
  const draft = open();
  draft.keep();
  expect(keep).not.toHaveBeenCalled();
  draft.changeContent(() => 'typed');
  draft.keep();
  expect(keep).toHaveBeenLastCalledWith({ fields: { ...fields, content: 'typed' }, version: 3 });
  expect(save).not.toHaveBeenCalled();
});

it('takes over the version when only the status has changed', async () => {
  const draft = open();
  draft.acceptVersion({ ...article, version: 4 });
  expect(draft.store.getState().version).toBe(4);
  draft.acceptVersion({ ...article, fields: { ...fields, title: 'Theirs' }, version: 5 });
  expect(draft.store.getState().version).toBe(4);
});

it('returns the text that was replaced, and brings it back', async () => {
  const draft = open();
  draft.change({ title: 'Mine' });
  draft.store.setState({ conflict: { version: 7, fields: { ...fields, title: 'Theirs' }, by: null, at: 'now' } });
  const mine = draft.useTheirs();
  expect(draft.store.getState()).toMatchObject({ fields: { title: 'Theirs' }, version: 7, isDirty: false });
  draft.replace(mine);
  await vi.advanceTimersByTimeAsync(2_000);
  expect(sent()).toEqual([['Mine', '', 7]]);
});
