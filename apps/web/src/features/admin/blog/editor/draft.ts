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

/**
 * Delays before a save, in milliseconds. `pauseMs` follows the last change, and `retryMs` follows a network or server
 * error.
 */
const [pauseMs, retryMs] = [2_000, 10_000];

type SavedVersion = { version: number; savedAt: string; readingMinutes: number };

export type DraftState = {
  fields: ArticleFields;
  /** The version that the next save is based on. */
  version: number;
  /** Time of the last save. Undefined before the first save. */
  savedAt: string | undefined;
  readingMinutes: number;
  isDirty: boolean;
  /**
   * Whether nothing has been saved yet. `isCreated`: whether the article already exists on the server, even if its
   * first save has failed.
   */
  isNew: boolean;
  isCreated?: boolean;
  isSaving: boolean;
  /** Error message if the last save failed. */
  failure: string | undefined;
  errors: FieldErrors;
  conflict: EditConflict | undefined;
  /** Incremented when the text is replaced from outside the editor. Remounts the editor. */
  epoch: number;
};

type DraftOptions = {
  article: Article;
  /** Whether the article exists only in the browser. The first save creates it on the server. */
  isNew?: boolean;
  /** Unsaved changes from an earlier visit. */
  kept?: KeptDraft | undefined;
  save: (fields: ArticleFields, version: number) => Promise<SavedVersion>;
  /** Stores unsaved changes outside the draft. Called with undefined once everything has been saved. */
  keep: (draft: KeptDraft | undefined) => void;
};

/** An article that is being edited. Changes are saved 2 seconds after the last one, with one request at a time. */
export class Draft {
  readonly store: StoreApi<DraftState>;
  readonly #options: Pick<DraftOptions, 'save' | 'keep'>;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #inFlight: Promise<boolean> | undefined;
  #readContent: (() => string) | undefined;
  /** Number of changes. Shows whether the user made changes while a request was in flight. */
  #changes = 0;
  /** Fields of the latest saved version that this tab has seen. */
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

  /** Records that the text has changed. `read` is called only when the text is needed, because reading can be slow. */
  changeContent(read: () => string): void {
    this.#readContent = read;
    const { errors } = this.store.getState();
    if (errors.content) this.store.setState({ errors: omitFields(errors, ['content']) });
    this.#noteChange();
  }

  /** Reads the text from the editor if it has changed since it was last read. */
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

  /** Shows why the server rejected a status change. */
  showRejection(error: unknown): void {
    const { errors } = describeFailure(error);
    const conflict = findConflict(error);
    if (conflict && this.#isKnown(conflict.fields)) this.store.setState({ errors, version: conflict.version });
    else this.store.setState({ errors, conflict });
  }

  /** Adopts a newer version of the article if the fields are the same as those last saved. */
  acceptVersion({ fields, version }: Article): void {
    const state = this.store.getState();
    if (!state.isSaving && version > state.version && this.#isKnown(fields)) this.store.setState({ version });
  }

  /** Adopts the version from a status change. Keeps what the user has typed since. */
  accept(next: Article): void {
    const { isDirty, fields } = this.store.getState();
    this.#saved = next.fields;
    const own = isDirty ? fields : { ...next.fields, content: fields.content };
    this.store.setState({ version: next.version, fields: own });
  }

  /** Replaces all fields with those from the server. */
  reset(next: Article): void {
    this.#saved = next.fields;
    this.#show(toDraftState(next));
  }

  /**
   * Resolves a conflict with the version that someone else saved. Returns the replaced fields, which the user can
   * restore.
   */
  useTheirs(): ArticleFields {
    this.takeContent();
    const { conflict, fields } = this.store.getState();
    if (!conflict) return fields;
    this.#saved = conflict.fields;
    this.#show({ fields: conflict.fields, version: conflict.version, savedAt: conflict.at });
    return fields;
  }

  /** Replaces all fields. Saves the new fields in the same way as typed changes. */
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

  /** Discards unsaved changes. Called after the user has confirmed, or when nothing differs from the saved version. */
  abandon(): void {
    clearTimeout(this.#timer);
    this.#readContent = undefined;
    this.#options.keep(undefined);
    this.store.setState({ isDirty: false });
  }

  /** Stops saving. Unsaved changes stay in the tab's storage. */
  close(): void {
    clearTimeout(this.#timer);
    this.keep();
  }

  /** Stores unsaved changes in the tab, because the tab may be about to close or reload. */
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
    // Changes made during a request are sent after the request has finished.
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
      // Also reads what the user typed during the request.
      this.takeContent();
      const conflict = findConflict(error);
      // The fields are the same, so only the status has changed, such as when a scheduled post is published.
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

/** Error messages by field. The keys for SEO fields start with `seo/`. */
type FieldErrors = Readonly<Record<string, string>>;

/**
 * Returns the version that someone else saved after this draft was loaded. Undefined if the error isn't an edit
 * conflict.
 */
function findConflict(error: unknown): EditConflict | undefined {
  if (!(error instanceof ApiError) || !hasErrorCode(error, 'edit_conflict')) return undefined;
  return editConflictSchema.safeParse(error.meta).data;
}

/** Returns the error message for a failed call, and the same message by the field that caused the error. */
function describeFailure(error: unknown): { failure: string; errors: FieldErrors } {
  const failure = hasErrorCode(error, 'article_not_found') ? editorMessages.deleted : describeError(error);
  const field = findFieldError(error)?.field;
  if (field === undefined || !(error instanceof ApiError)) return { failure, errors: {} };
  // The request nests the fields in an object, as in `fields/seo/title`.
  const path = (error.param ?? field).replace(/^fields\//, '');
  const [name = '', part] = path.split('/');
  return { failure, errors: { [name === 'seo' && part ? `seo/${part}` : name]: failure } };
}

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

export const hasSameFields = (one: ArticleFields, other: ArticleFields): boolean =>
  serializeFields(one) === serializeFields(other);
