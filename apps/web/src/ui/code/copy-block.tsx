import { useRef } from 'react';
import { CopyButton } from '../controls/copy-button.tsx';

type CopyBlockProps = { code: string; label: string };

export function CopyBlock({ code, label }: CopyBlockProps) {
  const element = useRef<HTMLElement>(null);
  return (
    <div className="flex items-start gap-2 rounded-control bg-sunken py-1 pr-1 pl-3">
      <pre className="min-w-0 flex-1 py-1.5 text-xs whitespace-pre-wrap wrap-anywhere">
        <code ref={element}>{code}</code>
      </pre>
      <CopyButton text={code} label={label} source={element} />
    </div>
  );
}

/** Clicking the secret selects it. */
export function CopySecret({ code, label, onCopied }: CopyBlockProps & { onCopied?: (() => void) | undefined }) {
  const element = useRef<HTMLElement>(null);
  return (
    <div className="flex items-center gap-2 rounded-control border border-edge bg-page py-1 pr-1 pl-3">
      <code ref={element} className="min-w-0 flex-1 text-sm select-all wrap-anywhere">
        {code}
      </code>
      <CopyButton text={code} label={label} source={element} look="secondary" onCopied={onCopied} />
    </div>
  );
}
