import { announce } from '../../lib/announce.ts';
import { serverNow } from '../../lib/server-clock.ts';
import { toast } from '../../lib/toast.ts';
import { connection } from '../../offline/connection.ts';
import { keepChange } from '../../offline/waiting-votes.ts';
import type { NewVote } from '../../voting/send-vote.ts';
import { voteOnProject } from '../../voting/vote-on-project.ts';

/** Changes or confirms a vote (R57). Without a network it waits, and a later change takes its place. */
export async function changeVote(vote: NewVote & Required<Pick<NewVote, 'changes'>>): Promise<void> {
  const sentAtMs = serverNow();
  const isOffline = connection.get() === 'offline';
  if (!isOffline && (await voteOnProject(vote, null)) === 'done') return;
  keepChange(vote, isOffline ? null : sentAtMs);
  const words = `Your ${vote.voteType} vote on ${vote.project.name} is sent when you are back online.`;
  toast({ title: 'Waiting for the network', description: words });
  announce(words);
}
