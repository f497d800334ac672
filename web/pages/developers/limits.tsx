import { VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { type Fact, Facts } from '../../ui/facts.tsx';
import { Fold } from '../../ui/fold.tsx';

const LIMITS: readonly Fact[] = [
  {
    label: 'Reads',
    note: 'Each IP address has a budget of server time, which refills every minute. An unchanged copy costs nothing: send its ETag as If-None-Match and get 304.',
  },
  { label: 'Too much', note: '429 and 503 come with Retry-After: the seconds to wait before the next try.' },
  {
    label: 'Pages',
    note: 'Lists have limit and cursor. X-Next-Cursor of a response is the cursor of the next page; X-Total-Count is the number of rows in all.',
  },
  {
    label: 'Parameters',
    note: 'The open API rejects unknown parameters with 400, so a typo never looks like a result.',
  },
  {
    label: 'Errors',
    note: 'A JSON body with error, a stable code, and message, a sentence for people; field names the invalid input.',
  },
  {
    label: 'Votes',
    note: `${VOTES_PER_WINDOW} in ${VOTE_WINDOW_HOURS} hours for each wallet, counted from the first one.`,
  },
];

export function Limits() {
  return (
    <Fold id="limits" title="Limits">
      <Facts facts={LIMITS} className="sm:grid-cols-2 lg:grid-cols-3" />
    </Fold>
  );
}
