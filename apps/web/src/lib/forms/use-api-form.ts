import { standardSchemaResolver } from '@hookform/resolvers/standard-schema';
import { ApiError } from '@uprez/client/api-error';
import type { User } from '@uprez/contracts/schemas/user';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import {
  type DefaultValues,
  type FieldValues,
  type Path,
  type RegisterOptions,
  type UseFormReturn,
  useForm,
} from 'react-hook-form';
import * as z from 'zod';
import { describeError, hasErrorCode } from '../api/api-errors.ts';
import { userKey } from '../api/queries.ts';
import { queryClient } from '../api/query-client.ts';
import { ignoreErrors } from '../browser/ignore-errors.ts';
import { findOwner } from '../session/session-lifecycle.ts';
import { useUnsavedForm } from './unsaved-forms.ts';

// The content security policy forbids `eval`, which zod's compiler needs.
z.config({ jitless: true });

type ApiFormOptions<Values extends FieldValues> = {
  /**
   * Validation rules. Their messages are shown next to the fields. Values are sent as the user entered them, because
   * the server normalizes them.
   */
  schema: z.ZodType<unknown, Values>;
  defaultValues: DefaultValues<Values>;
  /**
   * Sends valid values. May resolve to `false` if they weren't sent. An API error is shown at the field that it names,
   * or as `error` if it names none.
   */
  send: (values: Values) => Promise<unknown>;
  /** Title of the error when `send` fails, even if the reason is shown at a field. */
  failure?: string;
  /** Called instead of `send` with the first invalid field and its message. May return the title of the error. */
  onInvalid?: (field: string, message: string) => string | undefined;
  /** False for forms that store typed values themselves, and for values that are quickly chosen again. */
  asksBeforeLeaving?: boolean;
};

type BooleanName<Values> = {
  [Name in keyof Values & string]-?: boolean extends Values[Name] ? Name : never;
}[keyof Values & string];

/** `register` options for optional fields: an empty string becomes undefined. */
export const emptyAsUndefined = { setValueAs: (value: string | undefined) => value || undefined };

function messageOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null) return undefined;
  if ('message' in error && typeof error.message === 'string') return error.message;
  // The errors in a list field are keyed by index. Returns the first.
  return Object.values(error).map(messageOf).find(Boolean);
}

const findUserId = () => queryClient.getQueryData<User | null>(userKey)?.id;

type KeptForm = {
  defaults: Record<string, unknown>;
  read: () => Record<string, unknown>;
  write: (values: Record<string, unknown>) => void;
};

/** Stores typed values when a form is unmounted because the session has ended, and restores them after the sign-in. */
function useKeptValues({ defaults, read, write }: KeptForm): void {
  const restore = useEffectEvent((userId: string) => write(takeValues(userId, defaults)));
  const keep = useEffectEvent((userId: string) => keepValues(userId, defaults, read()));
  useEffect(() => {
    const userId = findUserId();
    if (userId === undefined) return;
    restore(userId);
    return () => {
      // Signing out clears the owner. Typed values aren't stored in that case.
      if (findUserId() === undefined && findOwner() === userId) keep(userId);
    };
  }, []);
}

/**
 * Returns whether a signed-in user has unsent changes other than secrets, and a function that marks the values as sent.
 * Visitors aren't asked before they leave, because most of their forms, such as the sign-in form, link to each other.
 */
function useUnsavedValues<Values extends FieldValues>({ formState, watch }: UseFormReturn<Values>, asks: boolean) {
  const { isDirty, isSubmitting, dirtyFields } = formState;
  const [isSent, setIsSent] = useState(false);
  useEffect(() => {
    const { unsubscribe } = watch(() => setIsSent(false));
    return unsubscribe;
  }, [watch]);
  const isChanged = isDirty && Object.keys(dirtyFields).some((name) => !isSecretField(name));
  const isUnsaved = isChanged && !isSubmitting && !isSent && findUserId() !== undefined;
  useUnsavedForm(isUnsaved && asks);
  return [isUnsaved, () => setIsSent(true)] as const;
}

/** Shown until all errors are corrected. An error that appears later, while the user types, has no title. */
function useFailureTitle<Values extends FieldValues>({ formState: { errors }, watch }: UseFormReturn<Values>) {
  const [failure, setFailure] = useState<string>();
  const hasErrors = Object.keys(errors).length > 0;
  const clearIfCorrected = useEffectEvent(() => {
    if (!hasErrors) setFailure(undefined);
  });
  useEffect(() => {
    const { unsubscribe } = watch(() => clearIfCorrected());
    return unsubscribe;
  }, [watch]);
  return [hasErrors ? failure : undefined, setFailure] as const;
}

type ErrorPlaces<Values extends FieldValues> = Pick<UseFormReturn<Values>, 'setError'> & {
  /** Names of the fields whose errors the form shows. */
  shown: ReadonlySet<string>;
};

/** Shows an error at its field. If the field can't show errors, such as a switch, shows it as the form's error. */
function showApiError<Values extends FieldValues>(error: unknown, { shown, setError }: ErrorPlaces<Values>): void {
  const { field = '', message } = findFieldError(error) ?? {};
  if (shown.has(field)) setError(field as Path<Values>, { message });
  // For this error, the form shows a field for the code instead.
  else if (!hasErrorCode(error, 'two_factor_required')) setError('root', { message: describeError(error) });
}

function useErrorFocus<Values extends FieldValues>({ formState, setFocus }: UseFormReturn<Values>): void {
  const { errors, submitCount } = formState;
  const latestErrors = useRef(errors);
  latestErrors.current = errors;
  // Runs after rendering, so that the focused field already refers to its error.
  useEffect(() => {
    const [first] = submitCount > 0 ? Object.keys(latestErrors.current) : [];
    if (first && first !== 'root') setFocus(first as Path<Values>, { shouldSelect: true });
  }, [submitCount, setFocus]);
}

/**
 * Creates a form that validates against a schema and shows server errors. Errors move the focus to the first invalid
 * field.
 */
export function useApiForm<Values extends FieldValues>(options: ApiFormOptions<Values>) {
  const { schema, defaultValues, send, failure, onInvalid, asksBeforeLeaving = true } = options;
  const form = useForm<Values>({
    resolver: standardSchemaResolver(schema, undefined, { raw: true }),
    defaultValues,
    shouldFocusError: false,
  });
  const { errors, isSubmitting, isSubmitted } = form.formState;
  const { setError, setValue } = form;
  const [isUnsaved, setSent] = useUnsavedValues(form, asksBeforeLeaving);
  const [shownFailure, setFailure] = useFailureTitle(form);
  useErrorFocus(form);
  const change = (values: Partial<Values>) => {
    for (const [name, value] of Object.entries(values))
      setValue(name as Path<Values>, value, { shouldDirty: true, shouldValidate: isSubmitted });
  };
  const write = (values: object) => change(values as Partial<Values>);
  useKeptValues({ defaults: defaultValues as Record<string, unknown>, read: form.getValues, write });
  const shown = new Set<string>();
  const showError = (error: unknown) => {
    showApiError(error, { shown, setError });
    setFailure(failure);
  };
  const submit = form.handleSubmit(
    (values) => send(values).then((result) => result !== false && setSent(), showError),
    (invalid) => {
      const [field = ''] = Object.keys(invalid);
      setFailure(onInvalid?.(field, messageOf(invalid[field]) ?? ''));
    },
  );
  const errorOf = (name: Path<Values>) => {
    shown.add(name);
    return messageOf(errors[name]);
  };
  return {
    ...form,
    submit,
    isSubmitting,
    isUnsaved,
    /** The error that concerns no single field. */
    error: errors.root?.message,
    failure: shownFailure,
    errorOf,
    field: (name: Path<Values>, rules?: RegisterOptions<Values, Path<Values>>) => ({
      ...form.register(name, rules),
      error: errorOf(name),
    }),
    /** Changes the values of controls that aren't text fields. */
    change,
    /** Returns the props of a control that isn't a text field. */
    choice: <Name extends keyof Values & string>(name: Name) => ({
      value: form.watch(name as unknown as Path<Values>) as Values[Name],
      onChange: (value: Values[Name]) => write({ [name]: value }),
    }),
    /** Returns the props of a checkbox or switch. */
    checkbox: (name: BooleanName<Values>) => ({
      checked: form.watch(name as unknown as Path<Values>) === true,
      onChange: (checked: boolean) => write({ [name]: checked }),
    }),
  };
}

/** Matches the names of fields that are never stored. */
const secretNamePattern = /password|secret|token|^code$/i;

const isSecretField = (name: string): boolean => secretNamePattern.test(name);

type Values = Record<string, unknown>;

/** The names of the fields distinguish the page's forms. */
const nameOf = (defaults: Values) =>
  `uprez.form.${window.location.pathname}.${Object.keys(defaults).toSorted().join()}`;

const isStorable = (value: unknown) => ['string', 'number', 'boolean'].includes(typeof value);

/**
 * Stores a form's changed values in this tab until the form is opened again. Only the user who typed them gets them
 * back. Secrets aren't stored.
 */
export function keepValues(userId: string, defaults: Values, values: Values): void {
  const changed = Object.entries(values).filter(
    ([name, value]) => isStorable(value) && value !== (defaults[name] ?? '') && !isSecretField(name),
  );
  if (changed.length === 0) return;
  const entry = JSON.stringify({ userId, values: Object.fromEntries(changed) });
  ignoreErrors(() => sessionStorage.setItem(nameOf(defaults), entry));
}

/** Returns and removes the values that this user changed in a form before the session ended. */
export function takeValues(userId: string, defaults: Values): Values {
  return (
    ignoreErrors(() => {
      const entry = JSON.parse(sessionStorage.getItem(nameOf(defaults)) ?? 'null');
      sessionStorage.removeItem(nameOf(defaults));
      return entry?.userId === userId ? (entry.values as Values) : undefined;
    }) ?? {}
  );
}

/** Form field for each error code that comes without a parameter name. */
const fieldByCode: Partial<Record<string, string>> = {
  password_too_short: 'password',
  password_too_common: 'password',
  wrong_password: 'password',
  bad_credentials: 'password',
  too_many_attempts: 'password',
  email_taken: 'email',
  bad_two_factor_code: 'code',
};

/**
 * Returns the form field that an API error concerns, with its message. Returns undefined if the error concerns no
 * field.
 */
export function findFieldError(error: unknown): { field: string; message: string } | undefined {
  if (!(error instanceof ApiError)) return undefined;
  // The error of a list's element, such as `addresses/0`, is shown at the list's field.
  const field = error.param?.split('/')[0] ?? fieldByCode[error.code ?? ''];
  return field ? { field, message: error.sentence } : undefined;
}
