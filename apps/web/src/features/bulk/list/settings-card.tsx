import { factorRange, formatNames, formatTraits } from '@uprez/contracts/policy/image-formats';
import type { Tier } from '@uprez/contracts/policy/plans';
import { memo } from 'react';
import { Card } from '../../../ui/layout/card.tsx';
import { EngineField } from '../../../ui/recipe/engine-field.tsx';
import { FactorField } from '../../../ui/recipe/factor-field.tsx';
import { FormatField } from '../../../ui/recipe/format-field.tsx';
import { QualityField } from '../../../ui/recipe/quality-field.tsx';
import { bulkMessages as text } from '../messages.ts';
import { type BulkSettings, limitedBy, useBulkSettings } from '../state/bulk-settings.ts';

const set = useBulkSettings.setState;

type SettingsCardProps = { settings: BulkSettings; tier: Tier; disabled: boolean };

function SettingsSummary({ scaleFactor, format, quality, engine }: BulkSettings) {
  const parts = [
    text.factor(scaleFactor),
    formatNames[format],
    ...(formatTraits[format].lossy ? [text.quality(quality)] : []),
    engine,
  ];
  return <span className="text-muted text-sm tabular-nums">{parts.join(' · ')}</span>;
}

export const SettingsCard = memo(function SettingsCard({ settings, tier, disabled }: SettingsCardProps) {
  const { scaleFactor, format, quality, engine } = settings;
  if (disabled) return <Card title={text.settings} actions={<SettingsSummary {...settings} />} children={null} />;
  return (
    <Card title={text.settings} className="@container">
      <div className="grid items-start gap-x-8 gap-y-5 @2xl:grid-cols-2">
        <FactorField
          value={scaleFactor}
          onChange={(next) => set({ scaleFactor: next })}
          max={factorRange.webMax}
          tier={tier}
          signedIn
          by={limitedBy(engine)}
          onStandard={() => set({ engine: 'standard' })}
        />
        <FormatField value={format} onChange={(next) => set({ format: next })} tier={tier} />
        <QualityField value={quality} onChange={(next) => set({ quality: next })} format={format} />
        <EngineField value={engine} onChange={(next) => set({ engine: next })} tier={tier} factor={scaleFactor} />
      </div>
    </Card>
  );
});
