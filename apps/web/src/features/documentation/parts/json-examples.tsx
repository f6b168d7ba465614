import { answerExamples } from '@uprez/contracts/docs/openapi/examples';
import { v1Routes } from '@uprez/contracts/endpoints/routes-v1';
import { JsonPanel } from '../../../ui/code/code-panel.tsx';
import { useExampleValues } from '../../../ui/code/example-values.ts';

function ResponseExample({ name }: { name: 'v1GetJob' | 'v1Account' }) {
  const { address } = useExampleValues();
  const { method, path } = v1Routes[name];
  return <JsonPanel title={`${method} ${path.replace(':id', '{id}')}`} value={answerExamples(address)[name]} />;
}

export const JobExample = () => <ResponseExample name="v1GetJob" />;
export const AccountExample = () => <ResponseExample name="v1Account" />;
