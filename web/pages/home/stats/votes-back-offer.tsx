import { BellRing } from 'lucide-react';
import { useRef } from 'react';
import { hindrance } from '../../../components/push/browser-push.ts';
import { usePush } from '../../../components/push/use-push.ts';
import { Button } from '../../../ui/button.tsx';

/** The one thing to ask for at the limit (R78). Nothing is offered where the site or the browser has no notifications. */
export function VotesBackOffer({ userId }: { userId: number }) {
  return hindrance() === null ? <Offer userId={userId} /> : null;
}

function Offer({ userId }: { userId: number }) {
  const { data: choice, press, pressed } = usePush(userId);
  const isAsked = useRef(false);
  if (!choice || choice.publicKey === null) return null;
  if (choice.isOnHere && choice.kinds.includes('votes_back'))
    return (
      <p
        // The button that had the focus is gone.
        ref={(words) => {
          if (isAsked.current) words?.focus({ preventScroll: true });
        }}
        tabIndex={-1}
        data-quiet-focus
        className="font-semibold"
      >
        A notification tells you when votes are back.
      </p>
    );
  return (
    <Button
      variant="secondary"
      className="px-3! whitespace-nowrap"
      busy={pressed === 'addKind' ? 'Turning on…' : false}
      disabled={pressed !== null}
      onClick={() => {
        isAsked.current = true;
        press({ name: 'addKind', args: [choice, 'votes_back'] });
      }}
    >
      <BellRing aria-hidden size={18} /> Tell me when votes are back
    </Button>
  );
}
