import { useFocus } from '../../../lib/layout/use-focus.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** How the last run ended without a result. Takes the focus. */
export function Outcome({ kind, text }: { kind: 'danger' | 'info'; text: string }) {
  const place = useFocus<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <Notice kind={kind}>{text}</Notice>
    </div>
  );
}
