import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorSentence } from '../../lib/error-sentence.ts';
import { accountMessages } from '../../messages/account.ts';
import { messages } from '../../messages.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';
import { Spinner } from '../../ui/spinner.tsx';

type OwnListProps<T> = { query: UseQueryResult<T[]>; label: string; children: (row: T) => ReactNode };

/** The rows of a list, one `li` each; before them what keeps them away. Changes are read out when the reader is free. */
export function OwnList<T>({ query: { data, error, refetch }, label, children }: OwnListProps<T>) {
  if (!data && error)
    return (
      <>
        <Notice kind="danger">{errorSentence(error)}</Notice>
        <Button look="secondary" className="justify-self-start" onClick={() => void refetch()}>
          {messages.session.retry}
        </Button>
      </>
    );
  if (!data) return <Spinner label={accountMessages.loading} />;
  if (data.length === 0) return null;
  return (
    <ul aria-label={label} aria-live="polite" className="divide-y divide-line border-line border-y">
      {data.map(children)}
    </ul>
  );
}

type OwnRowProps = { title: ReactNode; facts: ReactNode; action: ReactNode };

/** A row: what it is, the facts below, what can be done with it beside. */
export function OwnRow({ title, facts, action }: OwnRowProps) {
  return (
    <li className="flex items-center justify-between gap-4 py-3">
      <div className="min-w-0 wrap-anywhere">
        <p className="font-medium text-sm">{title}</p>
        <p className="text-muted text-sm">{facts}</p>
      </div>
      {action}
    </li>
  );
}
