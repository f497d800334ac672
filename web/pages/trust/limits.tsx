import { Fold } from '../../ui/fold.tsx';

const LIMITS = [
  'Someone with a lot of SUI can run many verified wallets. Each project page shows how much it takes. A final vote stays verified after the SUI has left the wallet.',
  'Verified means that a wallet holds SUI, not that its owner is honest, or right about a project.',
  'The check for automation sees only what is beyond chance. A few patient accounts that vote like everyone else pass it.',
  'The record shows that nothing was changed after it was published. Votes of today are published tomorrow.',
  "The site's owner has an SQL console, which can change rows of the database, a project's counters included. It cannot change what was published: the command above recounts every figure and finds the difference. Each statement stays in an audit log.",
];

export function Limits() {
  return (
    <Fold id="limits" title="What this does not show">
      <ul className="grid max-w-prose list-disc gap-2 ps-5 text-muted">
        {LIMITS.map((limit) => (
          <li key={limit}>{limit}</li>
        ))}
      </ul>
    </Fold>
  );
}
