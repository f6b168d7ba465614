import type { Estimate } from '@uprez/contracts/estimate';
import { plans } from '@uprez/contracts/plans';
import { Link } from 'react-router';
import { processorMessages as text } from '../../messages/processor.ts';
import { paths } from '../../site-map.ts';
import { Button } from '../../ui/button.tsx';
import { Notice } from '../../ui/notice.tsx';

type RefusalProps = {
  limit: NonNullable<Estimate['limit']>;
  /** Take the largest factor that works; absent where no factor is asked for. */
  onFactor?: ((factor: number) => void) | undefined;
};

/** Why the plan would not make this, and the two ways on: less, or a plan that has more. */
export function Refusal({ limit: { detail, maxFactor, unlockedBy }, onFactor }: RefusalProps) {
  const sentence = text.refused(detail);
  const opener = unlockedBy && plans[unlockedBy].name;
  const factor = Math.floor(maxFactor ?? 0);
  return (
    <Notice kind="warning">
      <p>
        {sentence}
        {opener && !sentence.includes(opener) && ` ${text.opens(opener)}`}
      </p>
      <div className="mt-2 flex flex-wrap items-center gap-2 empty:hidden">
        {onFactor && factor >= 1 && (
          <Button look="secondary" size="small" onClick={() => onFactor(factor)}>
            {text.useFactor(factor)}
          </Button>
        )}
        {opener && (
          <Link to={paths.pricing} className="inline-flex min-h-6 items-center text-xs underline underline-offset-4">
            {text.seePlans}
          </Link>
        )}
      </div>
    </Notice>
  );
}
