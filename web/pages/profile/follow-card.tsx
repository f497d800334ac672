import { useQuery } from '@tanstack/react-query';
import { Star } from 'lucide-react';
import { FOLLOW_VOTE_DAYS } from '#shared/voting/follow-rules.ts';
import { followsQuery, followVotes } from '../../components/follow/follows.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Switch } from '../../ui/switch.tsx';

export function FollowCard({ userId }: { userId: number }) {
  const { data } = useQuery({ ...followsQuery(userId), refetchOnMount: 'always' });
  if (!data) return null;
  return (
    <Card aria-labelledby="follows">
      <CardTitle id="follows" icon={<Star aria-hidden size={20} className="text-link" />}>
        Follows
      </CardTitle>
      <p className="text-muted">
        The bell, and a notification where you chose it, tells you when the verified majority of a project that you
        follow turns: once a day at most.
      </p>
      <div className="mt-4 flex items-center justify-between gap-3">
        <p id="follow-votes" className="font-semibold">
          Follow what I vote on for {FOLLOW_VOTE_DAYS} days
        </p>
        <Switch labelledBy="follow-votes" checked={data.votes} onChange={(votes) => void followVotes(userId, votes)} />
      </div>
    </Card>
  );
}
