import { Pause, Play, TrendingDown, TrendingUp } from 'lucide-react';
import { useState } from 'react';
import { VOTE_REWARD_TOKENS } from '#shared/constants.ts';
import { useIsLive } from '../../lib/external-store.ts';
import { IconButton } from '../../ui/button.tsx';
import { SnapCoin } from '../../components/values/snap-coin.tsx';
import * as styles from './landing.module.css';
import { Poster, type Scene } from './poster.tsx';

interface Example {
  scene: Scene;
  name: string;
  category: string;
  line: string;
  bullish: boolean;
}

const EXAMPLES: readonly Example[] = [
  { scene: 'tide', name: 'Tidepool', category: 'DeFi', line: 'Yield that follows the tide.', bullish: true },
  { scene: 'moon', name: 'Moonfish', category: 'Gaming', line: 'One arcade, every full moon.', bullish: false },
  { scene: 'kelp', name: 'Kelp Guild', category: 'DAO', line: 'A forest with ten thousand owners.', bullish: true },
];

/** Each a third of the round behind the other; the last one is on top when a play is over, and begins the next. */
const PLACES = [styles.card0, styles.card1, styles.card2];

function ExampleCard({ example, place }: { example: Example; place: number }) {
  const { scene, name, category, line, bullish } = example;
  const Icon = bullish ? TrendingUp : TrendingDown;
  return (
    <div className={`${styles.card} ${bullish ? styles.right : styles.left} ${PLACES[place] ?? ''}`}>
      <Poster scene={scene} />
      <div className="absolute inset-x-0 bottom-0 grid gap-1 bg-overlay p-4 pt-3.5">
        <span className="text-sm font-semibold text-link">{category}</span>
        <span className="display text-xl leading-tight">{name}</span>
        <span className="text-sm text-muted">{line}</span>
      </div>
      <span
        className={`${styles.voteStamp} absolute top-5 inline-flex items-center gap-1.5 rounded-md border-[3px] px-3 py-1 font-display text-lg font-extrabold tracking-wide ${
          bullish
            ? 'left-4 -rotate-12 border-bull bg-bull-soft text-bull'
            : 'right-4 rotate-12 border-bear bg-bear-soft text-bear'
        }`}
      >
        <Icon size={22} strokeWidth={3} />
        {bullish ? 'BULLISH' : 'BEARISH'}
      </span>
    </div>
  );
}

/** Three cards that deal themselves, for the eye only: two of them, then they stop. Automatic motion can be stopped. */
export function HeroStack() {
  const [paused, setPaused] = useState(false);
  const [plays, setPlays] = useState(0);
  // While the page's code loads, a phone has better things to do.
  const isStill = !useIsLive() || paused;
  return (
    <div className="relative mx-auto w-full max-w-[26rem] py-6" data-paused={isStill}>
      <div key={plays} aria-hidden className={styles.stack}>
        {EXAMPLES.map((example, i) => (
          <ExampleCard key={example.name} example={example} place={(i + plays) % 3} />
        ))}
        <span
          className={styles.reward}
          onAnimationEnd={() => {
            setPaused(true);
            setPlays(plays + 1);
          }}
        >
          <SnapCoin className="size-7" />+{VOTE_REWARD_TOKENS}
        </span>
      </div>
      <IconButton
        label={paused ? 'Play the animation' : 'Pause the animation'}
        onClick={() => setPaused(!paused)}
        className="absolute right-0 bottom-0 motion-reduce:hidden"
      >
        {paused ? <Play aria-hidden size={18} /> : <Pause aria-hidden size={18} />}
      </IconButton>
    </div>
  );
}
