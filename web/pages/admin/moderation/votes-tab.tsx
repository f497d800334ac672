import { Appeals } from './appeals.tsx';
import { JobsNow } from './jobs-now.tsx';
import { ModeratedVotes } from './moderated-votes.tsx';

/** The daily jobs, now in the demo; appeals of voters; votes that are set aside (R37, R39, R40). */
export function VotesTab() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <JobsNow />
      <Appeals />
      <ModeratedVotes />
    </div>
  );
}
