import { ApiError } from '@uprez/client/api-error';
import {
  type Article,
  type ArticleFields,
  type EditConflict,
  editConflictSchema,
} from '@uprez/contracts/schemas/content/articles';
import { createStore, type StoreApi } from 'zustand';
import { describeError, hasErrorCode } from '../../../../lib/api/api-errors.ts';
import { findFieldError } from '../../../../lib/forms/use-api-form.ts';
import type { KeptDraft } from './kept-draft.ts';
import { editorMessages } from './messages.ts';

/** Delays before a save: after the last change, and after a network or server error. */
const [pauseMs, retryMs] = [2_000, 10_000];

type SavedVersion = { version: number; savedAt: string; readingMinutes: number };

export type DraftState = {
  fields: ArticleFields;
  /** The version that the next save is based on. */
  version: number;
  /** Time of the last save; undefined before the first one. */
  savedAt: string | undefined;
  readingMinutes: number;
  isDirty: boolean;
  /** Whether nothing has been saved yet. `isCreated`: whether the article already exists on the server. */
  isNew: boolean;
  isCreated?: boolean;
  isSaving: boolean;
  /** Error message of the last save, if it failed. */
  failure: string | undefined;
  errors: FieldErrors;
  conflict: EditConflict | undefined;
  /** Changes when the text is replaced from outside its editor, which remounts the editor. */
  epoch: number;
};

type DraftOptions = {
  article: Article;
  /** Whether the article exists only in the browser. The first save creates it on the server. */
  isNew?: boolean;
  /** Changes of an earlier visit that were not saved. */
  kept?: KeptDraft | undefined;
  save: (fields: ArticleFields, version: number) => Promise<SavedVersion>;
  /** Stores unsaved changes outside the draft. Undefined clears them once everything is saved. */
  keep: (draft: KeptDraft | undefined) => void;
};

/** An article that is being edited: saved 2 s after the last change, with one request at a time. */
export class Draft {
  readonly store: StoreApi<DraftState>;
  readonly #options: Pick<DraftOptions, 'save' | 'keep'>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #inFlight: Promise<boolean> | undefined;
  #readContent: (() => string) | undefined;
  /** Counts changes, to find out whether there were any during a request. */
  #changes = 0;
  /** The fields of the latest version that this tab has seen. */
  #saved: ArticleFields;

  constructor({ article, isNew = false, kept, save, keep }: DraftOptions) {
    this.#options = { save, keep };
    this.#saved = article.fields;
    this.store = createStore(() => ({
      ...toDraftState(article),
      ...kept,
      isDirty: kept !== undefined,
      isNew,
      epoch: 0,
    }));
  }

  /** Schedules a save of unsaved changes from an earlier visit. */
  resume(): void {
    if (this.store.getState().isDirty) this.#schedule(pauseMs);
  }

  change(values: Partial<ArticleFields>): void {
    this.store.setState(({ fields, errors }) => ({
      fields: { ...fields, ...values },
      errors: omitFields(errors, Object.keys(values)),
    }));
    this.#noteChange();
  }

  /** Records that the text has changed. The text is read only when needed, because reading it can be slow. */
  changeContent(read: () => string): void {
    this.#readContent = read;
    const { errors } = this.store.getState();
    if (errors.content) this.store.setState({ errors: omitFields(errors, ['content']) });
    this.#noteChange();
  }

  /** Reads the text from its editor, if it has changed there. */
  takeContent(): void {
    const content = this.#readContent?.();
    this.#readContent = undefined;
    if (content !== undefined) this.store.setState(({ fields }) => ({ fields: { ...fields, content } }));
  }

  /** Saves all changes immediately. Resolves to whether the save succeeded. */
  async flush(): Promise<boolean> {
    clearTimeout(this.#timer);
    await this.#inFlight;
    while (this.store.getState().isDirty) if (!(await this.#start())) return false;
    return true;
  }

  showErrors(errors: FieldErrors): void {
    this.store.setState({ errors });
  }

  /** Shows why a change of the status was rejected. */
  showRejection(error: unknown): void {
    const { errors } = describeFailure(error);
    const conflict = findConflict(error);
    if (conflict && this.#isKnown(conflict.fields)) this.store.setState({ errors, version: conflict.version });
    else this.store.setState({ errors, conflict });
  }

  /** Adopts the version of an article if its fields haven't changed. */
  acceptVersion({ fields, version }: Article): void {
    const state = this.store.getState();
    if (!state.isSaving && version > state.version && this.#isKnown(fields)) this.store.setState({ version });
  }

  /** Adopts the version after a status change, and keeps what was typed since. */
  accept(next: Article): void {
    const { isDirty, fields } = this.store.getState();
    this.#saved = next.fields;
    const own = isDirty ? fields : { ...next.fields, content: fields.content };
    this.store.setState({ version: next.version, fields: own });
  }

  /** Replaces all fields with the fields from the server. */
  reset(next: Article): void {
    this.#saved = next.fields;
    this.#show(toDraftState(next));
  }

  /** Resolves a conflict with the version that was saved in between. Returns the fields that it replaces. */
  useTheirs(): ArticleFields {
    this.takeContent();
    const { conflict, fields } = this.store.getState();
    if (!conflict) return fields;
    this.#saved = conflict.fields;
    this.#show({ fields: conflict.fields, version: conflict.version, savedAt: conflict.at });
    return fields;
  }

  /** Replaces all fields. The new fields are saved as if they were typed. */
  replace(fields: ArticleFields): void {
    this.#readContent = undefined;
    this.store.setState(({ epoch }) => ({ fields, errors: {}, epoch: epoch + 1 }));
    this.#noteChange();
  }

  keepMine(): void {
    const { conflict } = this.store.getState();
    if (!conflict) return;
    this.#saved = conflict.fields;
    this.store.setState({ version: conflict.version, conflict: undefined });
    void this.#start();
  }

  /** Discards unsaved changes. Either the user has confirmed, or nothing differs from the saved version. */
  abandon(): void {
    clearTimeout(this.#timer);
    this.#readContent = undefined;
    this.#options.keep(undefined);
    this.store.setState({ isDirty: false });
  }

  /** Stops saving. Unsaved changes are kept in the tab. */
  close(): void {
    clearTimeout(this.#timer);
    this.keep();
  }

  /** Keeps unsaved changes in the tab, which may be about to close or reload. */
  keep(): void {
    this.takeContent();
    const { isDirty, fields, version } = this.store.getState();
    if (isDirty) this.#options.keep({ fields, version });
  }

  #isKnown = (fields: ArticleFields): boolean => hasSameFields(fields, this.#saved);

  #schedule(ms: number): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#start(), ms);
  }

  #noteChange(): void {
    this.#changes += 1;
    this.store.setState({ isDirty: true });
    this.#schedule(pauseMs);
  }

  #start(): Promise<boolean> {
    // A change during a request is sent after it.
    if (this.#inFlight !== undefined)
      return this.#inFlight.then((isSaved) => (isSaved && this.store.getState().isDirty ? this.#start() : isSaved));
    this.#inFlight = this.#send().finally(() => {
      this.#inFlight = undefined;
    });
    return this.#inFlight;
  }

  async #send(): Promise<boolean> {
    if (this.store.getState().conflict) return false;
    this.takeContent();
    const sent = this.#changes;
    const { fields, version, isNew, isCreated } = this.store.getState();
    if (isNew && !isCreated && this.#isKnown(fields)) {
      this.abandon();
      return true;
    }
    this.#options.keep({ fields, version });
    this.store.setState({ isSaving: true });
    try {
      const saved = await this.#options.save(fields, version);
      this.#saved = fields;
      const isDirty = this.#changes !== sent;
      this.store.setState({ ...saved, isDirty, isNew: false, failure: undefined, errors: {} });
      if (!isDirty) this.#options.keep(undefined);
      return true;
    } catch (error) {
      // Includes what was typed during the request.
      this.takeContent();
      const conflict = findConflict(error);
      // Only the status has changed, such as when a scheduled post is published.
      if (conflict && conflict.version !== version && this.#isKnown(conflict.fields)) {
        this.store.setState({ version: conflict.version });
        return await this.#send();
      }
      this.store.setState({ conflict, ...describeFailure(error) });
      if (!(error instanceof ApiError) || error.status >= 500) this.#schedule(retryMs);
      return false;
    } finally {
      this.store.setState({ isSaving: false });
    }
  }

  #show(state: Partial<DraftState>): void {
    clearTimeout(this.#timer);
    this.#readContent = undefined;
    this.#options.keep(undefined);
    this.store.setState(({ epoch }) => ({ ...cleanState, ...state, epoch: epoch + 1 }));
  }
}

const cleanState = { isDirty: false, isSaving: false, failure: undefined, errors: {}, conflict: undefined } as const;

const toDraftState = ({ fields, version, saved, readingMinutes }: Article) => ({
  ...cleanState,
  fields,
  version,
  savedAt: saved?.at,
  readingMinutes,
});

/** Error messages by field. The keys of SEO fields begin with `seo/`. */
type FieldErrors = Readonly<Record<string, string>>;

/** Returns the version that someone else has saved since this one was loaded; undefined for other errors. */
function findConflict(error: unknown): EditConflict | undefined {
  if (!(error instanceof ApiError) || !hasErrorCode(error, 'edit_conflict')) return undefined;
  return editConflictSchema.safeParse(error.meta).data;
}

/** Returns the error message of a failed call, and assigns it to the field that it concerns. */
function describeFailure(error: unknown): { failure: string; errors: FieldErrors } {
  const failure = hasErrorCode(error, 'article_not_found') ? editorMessages.deleted : describeError(error);
  const field = findFieldError(error)?.field;
  if (field === undefined || !(error instanceof ApiError)) return { failure, errors: {} };
  // The request contains the fields in an object: `fields/seo/title`.
  const path = (error.param ?? field).replace(/^fields\//, '');
  const [name = '', part] = path.split('/');
  return { failure, errors: { [name === 'seo' && part ? `seo/${part}` : name]: failure } };
}

/** Returns the messages without those of the named fields and their nested fields. */
const omitFields = (errors: FieldErrors, names: readonly string[]): FieldErrors =>
  Object.fromEntries(Object.entries(errors).filter(([name]) => !names.includes(name.split('/')[0] ?? '')));

const serializeFields = ({
  title,
  slug,
  excerpt,
  content,
  categoryIds,
  featured,
  featuredMediaId,
  seo,
}: ArticleFields) =>
  JSON.stringify([title, slug, excerpt, content, categoryIds, featured, featuredMediaId, seo.title, seo.description]);

/** Whether two versions of an article have the same text and details. */
export const hasSameFields = (one: ArticleFields, other: ArticleFields): boolean =>
  serializeFields(one) === serializeFields(other);
