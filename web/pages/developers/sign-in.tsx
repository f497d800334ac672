import { KeyRound } from 'lucide-react';
import { Card, CardTitle } from '../../ui/card.tsx';
import { CodeBlock } from './code-block.tsx';

const stepsOf = (origin: string): string => `# 1. Ask for a challenge: 401 with { nonce, message }
curl '${origin}/api/auth/wallet' \\
  -H 'Content-Type: application/json' \\
  -d '{"walletAddress":"0x…"}'

# 2. Sign the message as it is. In JavaScript, with @mysten/sui:
#    keypair.signPersonalMessage(new TextEncoder().encode(message))

# 3. Send the signature; the cookie is the session
curl '${origin}/api/auth/wallet' -c session.txt \\
  -H 'Content-Type: application/json' \\
  -d '{"walletAddress":"0x…","nonce":"…","signature":"…"}'

# 4. Vote
curl '${origin}/api/votes' -b session.txt \\
  -H 'Content-Type: application/json' \\
  -d '{"userId":1,"projectId":1,"voteType":"bullish"}'`;

/** How a program gets a session, which every write needs. */
export function SignIn({ origin }: { origin: string }) {
  return (
    <Card aria-labelledby="writes" className="grid grid-cols-1 content-start gap-4">
      <CardTitle id="writes" icon={<KeyRound aria-hidden size={20} className="text-link" />}>
        Sign in to write
      </CardTitle>
      <p className="text-muted">
        Votes, reviews and listings belong to a wallet. A program signs in as a person does: it signs a message, which
        moves no money. A page of another site cannot write on behalf of its visitors.
      </p>
      <CodeBlock code={stepsOf(origin)} name="the steps" />
    </Card>
  );
}
