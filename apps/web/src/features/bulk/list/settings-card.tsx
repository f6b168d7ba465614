import { formatNames, formatTraits } from '@uprez/contracts/policy/image-formats';
import type { Tier } from '@uprez/contracts/policy/plans';
import { memo } from 'react';
import { Card } from '../../../ui/layout/card.tsx';
import { EngineField } from '../../../ui/recipe/engine-field.tsx';
import { FactorField } from '../../../ui/recipe/factor-field.tsx';
import { FormatField, QualityField } from '../../../ui/recipe/output-fields.tsx';
import type { RecipeSettings } from '../../../ui/recipe/recipe-settings.ts';
import { bulkMessages as text } from '../messages.ts';
import { useBulkSettings } from '../state/bulk-settings.ts';

function SettingsSummary({ scaleFactor, format, quality, engine }: RecipeSettings) {
  const parts = [
    text.factor(scaleFactor),
    formatNames[format],
    ...(formatTraits[format].lossy ? [text.quality(quality)] : []),
    engine,
  ];
  return <span className="text-muted text-sm tabular-nums">{parts.join(' · ')}</span>;
}

type SettingsCardProps = { settings: RecipeSettings; tier: Tier; disabled: boolean };

export const SettingsCard = memo(function SettingsCard({ settings, tier, disabled }: SettingsCardProps) {
  if (disabled) return <Card title={text.settings} actions={<SettingsSummary {...settings} />} children={null} />;
  const field = { settings, tier, onChange: useBulkSettings.setState };
  return (
    <Card title={text.settings} className="@container">
      <div className="grid items-start gap-x-8 gap-y-5 @2xl:grid-cols-2">
        <FactorField {...field} signedIn />
        <FormatField {...field} />
        <QualityField {...field} />
        <EngineField {...field} />
      </div>
    </Card>
  );
});
