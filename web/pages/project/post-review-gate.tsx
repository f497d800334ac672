import { PenLine } from 'lucide-react';
import { ConnectButton } from '../../components/session/connect-button.tsx';
import { Card, CardTitle } from '../../ui/card.tsx';

export function PostReviewGate() {
  return (
    <Card aria-labelledby="post-review">
      <CardTitle id="post-review" icon={<PenLine aria-hidden size={20} className="text-link" />}>
        Post a Review
      </CardTitle>
      <ConnectButton className="w-full px-3">Connect Wallet to Post Reviews</ConnectButton>
    </Card>
  );
}
