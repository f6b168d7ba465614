import { devUiMessages as text } from '../../messages/dev-ui.ts';
import { Badge } from '../../ui/badge.tsx';
import { Card } from '../../ui/card.tsx';
import { DataList } from '../../ui/data-list.tsx';
import { Meter } from '../../ui/meter.tsx';
import { Notice } from '../../ui/notice.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { Spinner } from '../../ui/spinner.tsx';
import { StatusDot } from '../../ui/status-dot.tsx';
import { Example, Grid, Row } from './example.tsx';

const kinds = ['neutral', 'success', 'warning', 'danger'] as const;
const dots = ['done', 'active', 'failed'] as const;

export function FactsExample() {
  return (
    <Example section="facts">
      <Row>
        {kinds.map((kind) => (
          <Badge key={kind} kind={kind}>
            {text.badges[kind]}
          </Badge>
        ))}
        {dots.map((kind) => (
          <StatusDot key={kind} kind={kind} text={text.dots[kind]} />
        ))}
        <Spinner label={text.word} />
      </Row>
      <Grid>
        {text.meters.map((meter) => (
          <Meter key={meter.value} {...meter} />
        ))}
        <ProgressBar label={text.word} valueText={text.pending} percent={40} />
        <ProgressBar label={text.word} valueText={text.pending} />
        <Card title={text.name} actions={<Badge kind="neutral">{text.badges.neutral}</Badge>}>
          <DataList items={text.facts} />
        </Card>
        {(['info', 'warning', 'danger'] as const).map((kind) => (
          <Notice key={kind} kind={kind}>
            {text.sentence}
          </Notice>
        ))}
      </Grid>
    </Example>
  );
}
