import { Fold } from '../../ui/fold.tsx';
import { CodeBlock } from '../../components/values/code-block.tsx';

const stepsOf = (origin: string): string => `# 1. Ask for a challenge: 401 with { nonce, message }
curl '${origin}/api/auth/wallet' \\
  -H 'Content-Type: application/json' \\
  -d '{"walletAddress":"0x…"}'

# 2. Sign the message as it is. In JavaScript, with @mysten/sui:
#    keypair.signPersonalMessage(new TextEncoder().encode(message))

# 3. Send the signature; the cookie is the session
curl '${origin}/api/auth/wallet' -c session.txt \\
  -H 'Content-Type: application/json' \\
  -d '{"walletAddress":"0x…","nonce":"…","signature":"…"}'`;

export function SignIn({ origin }: { origin: string }) {
  return (
    <Fold id="writes" title="Sign in">
      <div className="grid gap-4">
        <p className="max-w-prose text-muted">
          A program signs in as a person does: it signs a message, which moves no money. Pages of other sites cannot
          write for their visitors.
        </p>
        <CodeBlock code={stepsOf(origin)} label="the steps" />
      </div>
    </Fold>
  );
}
