import { factorRange } from '@uprez/contracts/policy/image-formats';
import { plans } from '@uprez/contracts/policy/plans';
import { Clock, FileImage, Images, type LucideIcon, MapPinOff, Maximize, ReceiptText } from 'lucide-react';
import { landingMessages } from './messages.ts';

const text = landingMessages.facts;
const rows = Object.values(plans);
const mostFiles = Math.max(...rows.map(({ bulkFiles }) => bulkFiles));
const leastPixels = Math.min(...rows.map(({ maxOutputPixels }) => maxOutputPixels));

const facts: readonly [LucideIcon, { title: string; sentence: string }][] = [
  [Images, text.batch(mostFiles)],
  [FileImage, text.formats],
  [Maximize, text.large(factorRange.max, leastPixels)],
  [Clock, text.deletion],
  [MapPinOff, text.metadata],
  [ReceiptText, text.receipt],
];

/** Further features, in one sentence each. */
export function FactGrid() {
  return (
    <ul className="grid gap-px overflow-hidden rounded-card border border-line bg-line sm:grid-cols-2 lg:grid-cols-3">
      {facts.map(([Icon, { title, sentence }]) => (
        <li key={title} className="grid content-start gap-2 bg-surface p-5">
          <Icon aria-hidden="true" strokeWidth={1.5} className="size-5 text-muted" />
          <h3 className="mt-1 text-base">{title}</h3>
          <p className="text-muted text-sm">{sentence}</p>
        </li>
      ))}
    </ul>
  );
}
