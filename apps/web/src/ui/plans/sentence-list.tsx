import clsx from 'clsx';
import { Check, Minus } from 'lucide-react';

type SentenceListProps = {
  label: string;
  sentences: readonly string[];
  /** Whether the list shows what a plan lacks. */
  isMissing?: boolean;
  className?: string;
};

export function SentenceList({ label, sentences, isMissing = false, className }: SentenceListProps) {
  const Icon = isMissing ? Minus : Check;
  return (
    <ul aria-label={label} className={clsx('grid content-start text-sm', className)}>
      {sentences.map((sentence) => (
        <li key={sentence} className="flex gap-2">
          <Icon aria-hidden="true" strokeWidth={1.75} className="mt-0.5 size-4 shrink-0 text-muted" />
          <span className="min-w-0">{sentence}</span>
        </li>
      ))}
    </ul>
  );
}
