import { Check, Copy } from 'lucide-react';
import { type RefObject, useEffect, useState } from 'react';
import { copyText, selectContents } from '../../lib/browser/clipboard.ts';
import { announce } from '../../lib/notifications/announce.ts';
import { showToast } from '../../lib/notifications/toast-store.ts';
import { IconButton } from './button.tsx';

const messages = {
  copied: 'Copied',
  copyFailed: 'Failed to copy',
  copySelected: 'The text is selected. Press Ctrl+C or ⌘C to copy it.',
};
const copiedDurationMs = 2_000;

type CopyButtonProps = {
  text: string;
  /** The accessible name, such as `Copy the key`. */
  label: string;
  /** The element that contains the text. Selected if the browser refuses to copy. */
  source?: RefObject<Element | null>;
  look?: 'secondary' | 'ghost';
  onCopied?: (() => void) | undefined;
};

export function CopyButton({ text, label, source, look = 'ghost', onCopied }: CopyButtonProps) {
  const [copiedAt, setCopiedAt] = useState<number>();
  const isCopied = copiedAt !== undefined;
  useEffect(() => {
    if (copiedAt === undefined) return;
    const timer = setTimeout(() => setCopiedAt(undefined), copiedDurationMs);
    return () => clearTimeout(timer);
  }, [copiedAt]);
  const copy = async () => {
    if (await copyText(text)) {
      setCopiedAt(performance.now());
      announce(messages.copied);
      onCopied?.();
      return;
    }
    if (source?.current) selectContents(source.current);
    const description = source?.current ? messages.copySelected : undefined;
    showToast({ title: messages.copyFailed, description, destructive: true });
  };
  return (
    <IconButton
      label={isCopied ? messages.copied : label}
      icon={isCopied ? Check : Copy}
      look={look}
      onClick={() => void copy()}
    />
  );
}
