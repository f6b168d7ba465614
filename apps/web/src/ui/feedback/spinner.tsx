import { LogoMark } from '../layout/logo-mark.tsx';

export function Spinner({ label }: { label: string }) {
  return (
    <div role="status" aria-label={label} className="text-accent">
      <LogoMark animated className="size-8" />
    </div>
  );
}
