import { useFocusOnMount } from '../../../lib/layout/use-focus-on-mount.ts';
import { Notice } from '../../../ui/feedback/notice.tsx';

/** How the last run ended without a result. Takes the focus. */
export function RunMessage({ kind, text }: { kind: 'danger' | 'info'; text: string }) {
  const place = useFocusOnMount<HTMLDivElement>();
  return (
    <div ref={place} tabIndex={-1} className="outline-none">
      <Notice kind={kind}>{text}</Notice>
    </div>
  );
}
