import type { QueryKey } from '@tanstack/react-query';
import { type ComponentProps, createElement, Fragment, type ReactElement, type ReactNode } from 'react';
import type { DefaultValues, FieldValues, Path, RegisterOptions } from 'react-hook-form';
import type * as z from 'zod';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { useApiForm } from '../../lib/forms/use-api-form.ts';
import { showToast, type ToastOptions } from '../../lib/notifications/toast-store.ts';
import { Segmented } from '../controls/segmented.tsx';
import { Select } from '../controls/select.tsx';
import { TextArea, TextField } from '../controls/text-field.tsx';
import { ConfirmDialog } from './confirm-dialog.tsx';
import { FormDialog } from './form-dialog.tsx';

type SuccessText<Result, Values> = string | ToastOptions | ((result: Result, values: Values) => string | ToastOptions);

type CallProps<Values, Result> = {
  call: (values: Values) => Promise<Result>;
  /** Query keys to refetch after the call, even if it failed. */
  refreshes?: readonly QueryKey[] | undefined;
  /** The toast after success, or its title. */
  done?: SuccessText<Result, Values> | undefined;
  onClose: () => void;
  /** Called after success instead of `onClose`. */
  onDone?: (() => void) | undefined;
};

function showSuccessToast<Result, Values>(
  done: SuccessText<Result, Values> | undefined,
  result: Result,
  values: Values,
): void {
  const text = typeof done === 'function' ? done(result, values) : done;
  if (text !== undefined) showToast(typeof text === 'string' ? { title: text } : text);
}

type ConfirmCallDialogProps<Result> = CallProps<void, Result> &
  Pick<ComponentProps<typeof ConfirmDialog>, 'typed'> & {
    text: Pick<ComponentProps<typeof ConfirmDialog>, 'title' | 'text' | 'confirm' | 'keep'>;
    /** The title of the toast to show after an error, or an error handler. */
    failed: string | ((error: Error) => void);
  };

/** Stays open after an error. */
export function ConfirmCallDialog<Result>(props: ConfirmCallDialogProps<Result>) {
  const { text, failed, call, refreshes = [], done, onClose, onDone = onClose, ...dialog } = props;
  const { title, text: description, confirm, keep } = text;
  const { mutate, isPending } = useResourceMutation({
    call: () => call(),
    invalidates: refreshes,
    ...(typeof failed === 'string' ? { errorTitle: failed } : { onError: failed }),
    onSuccess: (result) => {
      showSuccessToast(done, result, undefined);
      onDone();
    },
  });
  return (
    <ConfirmDialog
      {...dialog}
      {...{ title, text: description, confirm, keep }}
      open
      onOpenChange={onClose}
      pending={isPending}
      onConfirm={() => mutate()}
    />
  );
}

type FieldRules<Values extends FieldValues> = {
  name: Path<Values>;
  rules?: RegisterOptions<Values, Path<Values>>;
};
type TextSpec<Values extends FieldValues> = FieldRules<Values> & { kind?: 'text' } & ComponentProps<typeof TextField>;
type AreaSpec<Values extends FieldValues> = FieldRules<Values> & { kind: 'area' } & ComponentProps<typeof TextArea>;

type Choice<Name, Value> = {
  kind: 'select' | 'segmented';
  name: Name;
  label: string;
  options: readonly { value: Value; label: string; disabled?: boolean }[];
} & Pick<ComponentProps<typeof Segmented>, 'legendHidden' | 'stacks'>;
type ChoiceSpec<Values> = {
  [Name in keyof Values & string]-?: Choice<Name, Values[Name]>;
}[keyof Values & string];

type ApiForm<Values extends FieldValues> = ReturnType<typeof useApiForm<Values>>;

type DialogField<Values extends FieldValues> =
  | TextSpec<Values>
  | AreaSpec<Values>
  | ChoiceSpec<Values>
  | ReactElement
  | false
  | undefined;

type ChoiceFieldProps<Values extends FieldValues> = { form: ApiForm<Values>; field: Choice<string, unknown> };

/** Values may be numbers or null, and JSON distinguishes null from the string `null`. */
const keyOf = (value: unknown): string => JSON.stringify(value) ?? '';

function ChoiceField<Values extends FieldValues>({ form, field }: ChoiceFieldProps<Values>) {
  const { kind, name, label, options, ...look } = field;
  const choose = (key: string) => {
    const chosen = options.find(({ value }) => keyOf(value) === key);
    if (chosen) form.change({ [name]: chosen.value } as Partial<Values>);
  };
  const props = {
    value: keyOf(form.watch(name as Path<Values>)),
    onChange: choose,
    options: options.map((option) => ({ ...option, value: keyOf(option.value) })),
  };
  return kind === 'select' ? <Select label={label} {...props} /> : <Segmented legend={label} {...look} {...props} />;
}

const isChoice = <Values extends FieldValues>(
  field: TextSpec<Values> | AreaSpec<Values> | ChoiceSpec<Values>,
): field is ChoiceSpec<Values> => field.kind === 'select' || field.kind === 'segmented';

function renderField<Values extends FieldValues>(form: ApiForm<Values>, field: DialogField<Values>): ReactNode {
  if (!field || !('name' in field)) return field;
  if (isChoice(field)) return <ChoiceField form={form} field={field} />;
  const registered = form.field(field.name, field.rules);
  if (field.kind === 'area') {
    const { kind, rules, ...props } = field;
    return <TextArea {...props} {...registered} />;
  }
  const { kind, rules, ...props } = field;
  return <TextField {...props} {...registered} />;
}

/** A value, or a function that returns it if it depends on the entered values. */
type OfForm<Values extends FieldValues, T> = T | ((form: ApiForm<Values>) => T);

type FormCallDialogProps<Values extends FieldValues, Result> = CallProps<Values, Result> &
  Pick<ComponentProps<typeof FormDialog>, 'look' | 'notice' | 'keep'> & {
    text: OfForm<NoInfer<Values>, { title: string; text?: ReactNode; submit: string; pending?: string }>;
    /** Message about what is missing. Disables the submit button. */
    missing?: OfForm<NoInfer<Values>, string | undefined>;
    /** Validation rules, whose messages are shown at the fields. */
    schema: z.ZodType<unknown, Values>;
    initial: DefaultValues<NoInfer<Values>>;
    /** Fields in display order. */
    fields: OfForm<NoInfer<Values>, readonly DialogField<NoInfer<Values>>[]>;
    /** The title of the error if the call fails. */
    failure?: string;
  };

/** After an error, stays open and keeps the input. */
export function FormCallDialog<Values extends FieldValues, Result>(props: FormCallDialogProps<Values, Result>) {
  const {
    text,
    missing,
    schema,
    initial,
    fields,
    failure,
    call,
    refreshes = [],
    done,
    onDone = props.onClose,
    ...dialog
  } = props;
  const { mutateAsync } = useResourceMutation({ call, invalidates: refreshes });
  const form = useApiForm<Values>({
    schema,
    defaultValues: initial,
    ...(failure && { failure }),
    send: async (values) => {
      const result = await mutateAsync(values);
      showSuccessToast(done, result, values);
      onDone();
    },
  });
  const shown = typeof fields === 'function' ? fields(form) : fields;
  const { title, text: description, ...labels } = typeof text === 'function' ? text(form) : text;
  const missingText = typeof missing === 'function' ? missing(form) : missing;
  return (
    <FormDialog {...dialog} {...{ title, description, form, text: labels, missing: missingText }}>
      {createElement(Fragment, null, ...shown.map((field) => renderField(form, field)))}
    </FormDialog>
  );
}
