import type { Receipt } from '@uprez/contracts/schemas/receipt';
import { formatBytes, formatCount } from '@uprez/contracts/texts/format';
import { formatDuration, formatSize } from '../../lib/format/format.ts';
import { receiptMessages as text } from './messages.ts';

type Fact = { label: string; value: string };

const fact = (label: string, value: string | null | undefined): Fact[] => (value ? [{ label, value }] : []);
const listed = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' · ');
const twoDecimals = (n: number) => n.toFixed(2);

/** Stages are short, so they are shown in milliseconds. */
const stageTime = (ms: number) => (ms < 100 ? text.milliseconds(Math.round(ms)) : formatDuration(ms));
/** In processing order, because PostgreSQL does not keep the order of JSON keys. */
const order = ['decode', 'enlarge', 'resample', 'check', 'encode', 'thumbnail'];
const place = (name: string) => (order.includes(name) ? order.indexOf(name) : order.length);
const stages = ({ stagesMs }: Receipt) =>
  listed(
    Object.entries(stagesMs)
      .sort(([one], [other]) => place(one) - place(other))
      .map(([name, ms]) => text.stage(name, stageTime(ms))),
  );

function made(receipt: Receipt): string {
  const quality = receipt.quality === null ? null : text.quality(receipt.quality);
  return listed([formatSize(receipt), formatBytes(receipt.sizeBytes), receipt.format, quality]);
}

/** The facts of a receipt as text. Omits facts that do not apply. */
export function receiptFacts(receipt: Receipt): Fact[] {
  const { source, colorDifference: color } = receipt;
  return [
    ...fact(text.engine, receipt.engine),
    ...fact(text.variant, receipt.variant && listed([receipt.variant.toUpperCase(), receipt.variantReason])),
    ...fact(text.device, receipt.device),
    ...fact(text.source, listed([formatSize(source), formatBytes(source.sizeBytes)])),
    ...fact(text.result, made(receipt)),
    ...fact(text.tiles, receipt.tiles > 0 ? formatCount(receipt.tiles) : null),
    ...fact(text.stages, stages(receipt)),
    ...fact(text.color, text.colorValue(twoDecimals(color.mean), twoDecimals(color.worst))),
    ...fact(text.retries, listed(receipt.retries.map(({ engine, reason }) => `${engine}: ${reason}`))),
    ...fact(text.notes, receipt.notes.join(' ')),
    ...fact(text.sourceHash, source.sha256),
    ...fact(text.resultHash, receipt.sha256),
    ...fact(text.model, receipt.model),
    ...fact(text.versions, listed(Object.entries(receipt.versions).map((pair) => pair.join(' ')))),
  ];
}
