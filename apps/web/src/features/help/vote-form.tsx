import { api } from '../../lib/api/api.ts';
import { useResourceMutation } from '../../lib/api/use-resource-mutation.ts';
import { Button } from '../../ui/controls/button.tsx';
import { helpMessages } from './messages.ts';

const text = helpMessages.vote;

export function VoteForm({ slug }: { slug: string }) {
  const vote = useResourceMutation({
    call: async (helpful: boolean) => void (await api.voteHelpArticle({ params: { slug }, body: { helpful } })),
    errorTitle: text.failed,
  });
  const button = (label: string, helpful: boolean) => (
    <Button
      look="secondary"
      size="small"
      pending={vote.isPending && vote.variables === helpful}
      onClick={() => vote.mutate(helpful)}
    >
      {label}
    </Button>
  );
  return (
    <div className="flex min-h-9 flex-wrap items-center gap-x-3 gap-y-2 text-muted text-sm">
      {!vote.isSuccess && (
        <fieldset className="flex flex-wrap items-center gap-2">
          <legend className="float-left mr-1">{text.question}</legend>
          {button(text.yes, true)}
          {button(text.no, false)}
        </fieldset>
      )}
      <span role="status">{vote.isSuccess && text.thanks}</span>
    </div>
  );
}
