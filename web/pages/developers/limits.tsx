import { VOTE_WINDOW_HOURS, VOTES_PER_WINDOW } from '#shared/constants.ts';
import { Fold } from '../../ui/fold.tsx';

const LIMITS = [
  [
    'Reads',
    'Each IP address has a budget of server time, which refills every minute. An unchanged copy costs nothing: send its ETag as If-None-Match and get 304.',
  ],
  ['Too much', '429 and 503 come with Retry-After: the seconds to wait before the next try.'],
  [
    'Pages',
    'Lists have limit and cursor. X-Next-Cursor of a response is the cursor of the next page; X-Total-Count is the number of rows in all.',
  ],
  ['Parameters', 'The open API rejects unknown parameters with 400, so a typo never looks like a result.'],
  [
    'Errors',
    'A JSON body with error, a stable code, and message, a sentence for people; field names the invalid input.',
  ],
  ['Votes', `${VOTES_PER_WINDOW} in ${VOTE_WINDOW_HOURS} hours for each wallet, counted from the first one.`],
] as const;

export function Limits() {
  return (
    <Fold id="limits" title="Limits">
      <dl className="grid gap-4 sm:grid-cols-2 lg:grid-cols-3">
        {LIMITS.map(([name, text]) => (
          <div key={name} className="grid content-start gap-1">
            <dt className="font-semibold">{name}</dt>
            <dd className="text-sm text-muted">{text}</dd>
          </div>
        ))}
      </dl>
    </Fold>
  );
}
