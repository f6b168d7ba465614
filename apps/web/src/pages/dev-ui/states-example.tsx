import { type QueryKey, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { Button } from '../../ui/controls/button.tsx';
import { EmptyState } from '../../ui/feedback/empty-state.tsx';
import { EmptyQueueArt } from '../../ui/feedback/illustrations.tsx';
import { QueryView } from '../../ui/feedback/query-view.tsx';
import { SectionErrorBoundary } from '../../ui/feedback/section-error-boundary.tsx';
import { Skeleton } from '../../ui/feedback/skeleton.tsx';
import { Card } from '../../ui/layout/card.tsx';
import { Example, Grid } from './example.tsx';
import { devUiMessages as text } from './messages.ts';

const never = () => new Promise<string[]>(() => {});
const fails = () => Promise.reject<string[]>(new TypeError(text.word));
const isEmpty = () => Promise.resolve<string[]>([]);
const answers = () => Promise.resolve<string[]>([text.sentence]);

function View({ queryKey, ask }: { queryKey: QueryKey; ask: () => Promise<string[]> }) {
  const query = useQuery({ queryKey, queryFn: ask });
  return (
    <Card title={queryKey.join(' ')}>
      <QueryView
        query={query}
        skeleton={
          <div className="grid gap-2">
            <Skeleton className="h-5 w-full" />
            <Skeleton className="h-5 w-2/3" />
          </div>
        }
        isEmpty={(data) => data.length === 0}
        empty={<EmptyState title={text.name} text={text.sentence} illustration={<EmptyQueueArt />} />}
      >
        {(data) => <p className="text-sm">{data}</p>}
      </QueryView>
    </Card>
  );
}

function Breaks() {
  const [broken, setBroken] = useState(false);
  if (broken) throw new Error(text.breaks);
  return (
    <Button look="secondary" onClick={() => setBroken(true)}>
      {text.breaks}
    </Button>
  );
}

export function StatesExample() {
  return (
    <Example section="states">
      <Grid>
        <View queryKey={['dev-ui', 'loading']} ask={never} />
        <View queryKey={['dev-ui', 'error']} ask={fails} />
        <View queryKey={['dev-ui', 'empty']} ask={isEmpty} />
        <View queryKey={['dev-ui', 'data']} ask={answers} />
        <Card title={text.breaks}>
          <SectionErrorBoundary>
            <Breaks />
          </SectionErrorBoundary>
        </Card>
      </Grid>
    </Example>
  );
}
