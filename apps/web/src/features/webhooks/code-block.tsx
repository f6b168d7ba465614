import { useRef } from 'react';
import { CopyButton } from '../../ui/controls/copy-button.tsx';

/** Preformatted text with a copy button. */
export function CodeBlock({ code, label }: { code: string; label: string }) {
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
