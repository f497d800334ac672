import { Appeals } from './appeals.tsx';
import { JobsNow } from './jobs-now.tsx';
import { ModeratedVotes } from './moderated-votes.tsx';

export function VotesTab() {
  return (
    <div className="grid grid-cols-1 gap-6">
      <JobsNow />
      <Appeals />
      <ModeratedVotes />
    </div>
  );
}
