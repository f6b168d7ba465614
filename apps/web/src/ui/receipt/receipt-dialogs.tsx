import { useQuery } from '@tanstack/react-query';
import { apiRoutes } from '@uprez/contracts/endpoints/routes-api';
import { formatNames } from '@uprez/contracts/policy/images/image-formats';
import type { DeletionReceipt, Job } from '@uprez/contracts/schemas/jobs/job';
import type { Receipt } from '@uprez/contracts/schemas/jobs/receipt';
import { formatBytes, formatCount, formatPercent } from '@uprez/contracts/texts/format';
import clsx from 'clsx';
import { Download } from 'lucide-react';
import { downloadText } from '../../lib/browser/download-text.ts';
import { formatDateTime, formatDuration, formatSize } from '../../lib/format/format.ts';
import { IconButton } from '../controls/button.tsx';
import { CopyButton } from '../controls/copy-button.tsx';
import { QueryView, Skeleton } from '../feedback/query-view.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { recipeMessages } from '../recipe/messages.ts';
import { receiptMessages as text } from './messages.ts';

type Fact = { label: string; value: string };

const joinParts = (parts: readonly (string | null)[]) => parts.filter((part) => part !== null).join(' · ');

const formatStageTime = (ms: number) => (ms < 100 ? text.milliseconds(Math.round(ms)) : formatDuration(ms));
const stageNames: Record<string, string> = text.stageNames;
/** In processing order, because PostgreSQL doesn't keep the order of JSON keys. */
const stageOrder = Object.keys(stageNames);
const stageIndex = (name: string) => (stageOrder.includes(name) ? stageOrder.indexOf(name) : stageOrder.length);
const formatStages = ({ stagesMs }: Pick<Receipt, 'stagesMs'>) =>
  joinParts(
    Object.entries(stagesMs)
      .sort(([one], [other]) => stageIndex(one) - stageIndex(other))
      .map(([name, ms]) => text.stage(stageNames[name] ?? name, formatStageTime(ms))),
  );

const formatWorkingShare = ({ scale, share }: NonNullable<Receipt['workingShares']>[number]) =>
  text.workingShare(formatPercent(Math.round(100 * scale)), formatPercent(Math.round(100 * share)));

/** Returns the fields of a receipt as labels and text. Omits fields that don't apply. */
export function listReceiptFacts(receipt: Omit<Receipt, 'thumbhash'>): Fact[] {
  const { source, colorDifference: color, fidelity, grain, strength, detailMegapixels, workingShares } = receipt;
  const quality = receipt.quality === null ? null : text.quality(receipt.quality);
  const facts: [label: string, value: string | null][] = [
    [text.engine, receipt.engine],
    [text.autoChoice, receipt.autoChoice?.reason ?? null],
    [text.variant, receipt.variant && joinParts([receipt.variant.toUpperCase(), receipt.variantReason])],
    [text.device, receipt.device],
    [text.source, joinParts([formatSize(source), formatBytes(source.sizeBytes)])],
    [
      text.result,
      joinParts([formatSize(receipt), formatBytes(receipt.sizeBytes), formatNames[receipt.format], quality]),
    ],
    [text.tiles, receipt.tiles > 0 ? formatCount(receipt.tiles) : null],
    [text.strips, receipt.strips > 0 ? text.stripsValue(formatCount(receipt.strips), receipt.bands) : null],
    [text.detail, detailMegapixels ? text.detailValue(formatCount(detailMegapixels)) : null],
    [recipeMessages.detail.label, receipt.detail ? recipeMessages.detail[receipt.detail].label : null],
    [text.workingShares, workingShares ? joinParts(workingShares.map(formatWorkingShare)) : null],
    [text.stages, formatStages(receipt)],
    [text.fidelity, fidelity ? text.fidelityValue(fidelity.score, fidelity.structure.toFixed(3)) : null],
    [text.strength, typeof strength === 'number' ? text.strengthValue(strength) : null],
    [text.grain, grain ? text.grainValue(grain.amount, grain.seed) : null],
    [recipeMessages.edges.label, receipt.edges ? recipeMessages.edges.choices[receipt.edges].label : null],
    [recipeMessages.alpha.label, receipt.alpha ? recipeMessages.alpha.choices[receipt.alpha].label : null],
    [text.color, text.colorValue(color)],
    [text.retries, joinParts(receipt.retries.map(({ engine, reason }) => `${engine}: ${reason}`))],
    [text.notes, receipt.notes.join(' ')],
    [text.sourceHash, source.sha256],
    [text.resultHash, receipt.sha256],
    [text.model, receipt.model],
    [text.versions, joinParts(Object.entries(receipt.versions).map((pair) => pair.join(' ')))],
  ];
  return facts.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

const isHash = (value: string) => /^[0-9a-f]{64}$/.test(value);

export function ReceiptDetails({
  facts,
  receipt,
  filename,
}: {
  facts: readonly Fact[];
  receipt: object;
  filename: string;
}) {
  const json = JSON.stringify(receipt, null, 2);
  return (
    <div className="grid gap-3">
      <dl className="grid divide-y divide-line border-line border-y text-sm">
        {facts.map(({ label, value }) => (
          <div key={label} className="grid gap-x-4 py-2 sm:grid-cols-[minmax(0,13rem)_minmax(0,1fr)]">
            <dt className="text-muted">{label}</dt>
            <dd className={clsx('min-w-0 tabular-nums wrap-anywhere', isHash(value) && 'font-mono text-xs leading-5')}>
              {value}
            </dd>
          </div>
        ))}
      </dl>
      <div className="flex gap-2 justify-self-end">
        <CopyButton look="secondary" label={text.copy} text={json} />
        <IconButton look="secondary" label={text.save} icon={Download} onClick={() => downloadText(filename, json)} />
      </div>
    </div>
  );
}

type JobReceiptDialogProps = { job: Pick<Job, 'id' | 'filename'>; onClose: () => void };

export function JobReceiptDialog({ job: { id, filename }, onClose }: JobReceiptDialogProps) {
  const query = useQuery<Receipt>({ queryKey: [apiRoutes.listJobs.path, id, 'receipt'] });
  return (
    <Dialog open onOpenChange={onClose} title={text.job} description={text.jobText(filename)} wide>
      <QueryView query={query} skeleton={<Skeleton className="h-72" />}>
        {(receipt) => (
          <ReceiptDetails facts={listReceiptFacts(receipt)} receipt={receipt} filename={`receipt-${id}.json`} />
        )}
      </QueryView>
    </Dialog>
  );
}

type DeletionReceiptDialogProps = { receipt: DeletionReceipt; filename: string; onClose: () => void };

export function DeletionReceiptDialog({ receipt, filename, onClose }: DeletionReceiptDialogProps) {
  const { objects, deletedAt } = receipt;
  const about =
    objects.length > 0 ? text.deletionText(filename, formatDateTime(deletedAt)) : text.nothingLeft(filename);
  return (
    <Dialog open onOpenChange={onClose} title={text.deletion} description={about} wide>
      {objects.length > 0 && (
        <ReceiptDetails
          facts={objects.map(({ kind, sha256 }) => ({ label: text.kinds[kind], value: sha256 }))}
          receipt={receipt}
          filename={`deletion-${receipt.id}.json`}
        />
      )}
    </Dialog>
  );
}
