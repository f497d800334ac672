import { Check, HandCoins, X } from 'lucide-react';
import type { AdminClaim } from '#shared/contract/claims.ts';
import { formatSui, parseMist } from '#shared/money/money.ts';
import { isolated } from '#shared/text/isolated.ts';
import { Name } from '../../../components/values/name.tsx';
import { RelativeTime } from '../../../components/values/relative-time.tsx';
import { api } from '../../../lib/api.ts';
import { Act } from '../act.tsx';
import { adminList, pollQueue } from '../admin-queries.ts';
import { RefundButton } from '../money/refund-button.tsx';
import { Queue } from '../queue.tsx';
import { Address, ProjectLink, Row } from '../row.tsx';

function Acts({ claim: { id, name, isDue, decidedAt, rest } }: { claim: AdminClaim }) {
  const left = rest && `${formatSui(parseMist(rest.amountMist))} SUI`;
  if (decidedAt !== null && rest) {
    const refund = { ...rest, amountMist: parseMist(rest.amountMist), recipient: rest.paidBy, isVerified: true };
    return <RefundButton refund={refund} word={`Refund ${left}`} label={`Refund the lister of ${isolated(name)}`} />;
  }
  const told = 'Claimer and lister read your reason.';
  const act = (isConfirmed: boolean, isRefunded = false) => ({
    call: (headers: Record<string, string>, reason: string) =>
      api.decideClaim({ params: { id: String(id) }, body: { isConfirmed, isRefunded, reason }, headers }),
    done: { title: isConfirmed ? 'Listing handed over' : 'Claim refused', description: name },
    failed: 'Failed to decide on the claim',
  });
  return (
    <>
      <Act
        {...act(true)}
        word="Hand over"
        when={isDue}
        label={`Hand over ${isolated(name)}`}
        Icon={Check}
        ask={{ title: 'Hand over, keep the fee', description: told }}
      />
      <Act
        {...act(true, true)}
        word={`Hand over, refund ${left}`}
        when={isDue && rest !== null}
        label={`Hand over ${isolated(name)} and refund the rest`}
        Icon={HandCoins}
        ask={{ title: 'Hand over, refund the rest', description: `${told} The refund then waits here.` }}
      />
      <Act
        {...act(false)}
        word="Refuse"
        label={`Refuse the claim on ${isolated(name)}`}
        Icon={X}
        variant="ghost"
        ask={{ title: 'Refuse the claim', description: told }}
      />
    </>
  );
}

function Claim({ claim }: { claim: AdminClaim }) {
  const { slug, name, coinType, packageId, claimer, lister, createdAt, answer, isDue, decidedAt } = claim;
  return (
    <Row acts={<Acts claim={claim} />}>
      <p>
        <ProjectLink slug={slug}>
          <Name>{name}</Name>
        </ProjectLink>{' '}
        <span className="text-sm text-muted">
          claimed <RelativeTime iso={createdAt} />
        </span>
      </p>
      <p className="text-sm wrap-anywhere">{coinType ?? packageId}</p>
      {decidedAt === null ? (
        <>
          <p className="text-sm text-muted">
            Held by <Address of={claimer} />, listed by <Address of={lister} />
          </p>
          <p className="text-sm wrap-anywhere text-muted">
            {answer ?? (isDue ? 'The lister did not answer.' : 'The lister can still answer.')}
          </p>
        </>
      ) : (
        <p className="text-sm text-text">Handed over: the rest of the fee waits for its refund.</p>
      )}
    </Row>
  );
}

export const Claims = () => (
  <Queue
    title="Claims"
    noun="claims"
    source={adminList('listClaims', {})}
    poll={pollQueue}
    renderRow={(claim) => <Claim key={claim.id} claim={claim} />}
  />
);
