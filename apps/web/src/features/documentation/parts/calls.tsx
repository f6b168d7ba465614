import { calls } from '../reference-data.ts';
import { CallPart } from './call-part.tsx';

/** The endpoints of a tag. */
export const Calls = ({ tag }: { tag: string }) =>
  calls.filter((call) => call.tag === tag).map((call) => <CallPart key={call.name} call={call} />);
