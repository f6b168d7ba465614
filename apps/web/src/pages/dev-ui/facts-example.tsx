import { Badge } from '../../ui/feedback/badge.tsx';
import { Meter } from '../../ui/feedback/meter.tsx';
import { Notice } from '../../ui/feedback/notice.tsx';
import { ProgressBar } from '../../ui/feedback/progress-bar.tsx';
import { Spinner } from '../../ui/feedback/spinner.tsx';
import { StatusDot } from '../../ui/feedback/status-dot.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { DataList } from '../../ui/layout/data-list.tsx';
import { Example, Grid, Row } from './example.tsx';
import { devUiMessages as text } from './messages.ts';

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
