import { useEffect, useId, useRef } from 'react';
import { SnapCoin } from '../components/values/snap-coin.tsx';
import { useStore } from '../lib/external-store.ts';
import { Button } from '../ui/button.tsx';
import { Confetti } from './confetti.tsx';
import { congratulation } from './reward.ts';

function Party({ tokens }: { tokens: number }) {
  const ref = useRef<HTMLDialogElement>(null);
  const titleId = useId();
  useEffect(() => {
    const dialog = ref.current;
    if (dialog && !dialog.open) dialog.showModal();
    const pressBeside = (event: MouseEvent) => {
      if (event.target === dialog) dialog?.close();
    };
    dialog?.addEventListener('click', pressBeside);
    return () => dialog?.removeEventListener('click', pressBeside);
  }, []);
  return (
    <dialog
      ref={ref}
      aria-labelledby={titleId}
      onClose={() => congratulation.set(null)}
      className="m-auto w-[min(24rem,calc(100vw-2rem))] overflow-visible rounded-2xl border-2 border-gold bg-surface p-0 text-text shadow-float backdrop:bg-scrim"
    >
      <div className="relative grid justify-items-center gap-2 px-6 pt-10 pb-7 text-center [@media(height<30rem)]:gap-1 [@media(height<30rem)]:py-5">
        <Confetti className="absolute top-24 left-1/2" />
        <SnapCoin className="relative size-28 [@media(height<30rem)]:size-16" />
        <h2 id={titleId} className="relative text-2xl">
          Congratulations!
        </h2>
        <p className="display relative text-6xl [@media(height<30rem)]:text-4xl">{tokens}</p>
        <p className="relative mb-4 max-w-64 text-muted">Snaps earned with your votes.</p>
        <Button size="lg" className="relative" onClick={() => ref.current?.close()}>
          Keep swiping
        </Button>
      </div>
    </dialog>
  );
}

export function Congratulation() {
  const tokens = useStore(congratulation);
  return tokens === null ? null : <Party tokens={tokens} />;
}
