import { BadgeCheck, Crown, Flame, Gauge, MessageSquareQuote, SquarePlus } from 'lucide-react';
import {
  LISTING_DAYS,
  REVIEW_COST_TOKENS,
  SUBMIT_FEE_MIST,
  VOTE_WINDOW_HOURS,
  VOTES_PER_WINDOW,
} from '#shared/constants.ts';
import { formatSui } from '#shared/money.ts';
import { Link } from 'wouter';
import { paths } from '../../lib/paths.ts';
import { cn } from '../../ui/class-names.ts';

const FEATURES = [
  {
    Icon: BadgeCheck,
    title: 'One wallet, one vote',
    text: 'Nobody can vote twice on a project or vote on their own listing. Wallets are free, so votes of wallets that hold SUI are also counted apart.',
    link: 'How votes are checked',
    wide: true,
  },
  {
    Icon: Flame,
    title: 'Keep your streak',
    text: 'Come back each day and watch it burn. One swipe is enough.',
  },
  {
    Icon: Gauge,
    title: 'A pace for thinking',
    text: `${VOTES_PER_WINDOW} votes every ${VOTE_WINDOW_HOURS} hours, so that every card gets a look.`,
  },
  {
    Icon: Crown,
    title: 'Top of the crowd',
    text: 'Projects rise by bullish share, voters by votes cast. Gold, silver and bronze for the first three.',
  },
  {
    Icon: MessageSquareQuote,
    title: 'Reviews that cost something',
    text: `Writing one burns ${REVIEW_COST_TOKENS.toLocaleString()} Snaps, so spam is expensive.`,
  },
  {
    Icon: SquarePlus,
    title: 'Your project in the deck',
    text: `List it for ${formatSui(SUBMIT_FEE_MIST)} SUI and it is dealt to every voter for ${LISTING_DAYS} days. Votes stay with it when the listing ends.`,
    wide: true,
  },
];

export function Features() {
  return (
    <section aria-labelledby="features" className="page grid gap-8 pt-16 md:pt-24">
      <h2 id="features" className="max-w-[20ch] text-3xl md:text-4xl">
        Built so that an opinion means something
      </h2>
      <ul className="grid gap-4 sm:grid-cols-2 lg:grid-cols-4">
        {FEATURES.map(({ Icon, title, text, link, wide }) => (
          <li key={title} className={cn('panel grid content-start gap-3 p-6', wide && 'lg:col-span-2')}>
            <span aria-hidden className="grid size-12 place-items-center rounded-md bg-accent-soft text-link">
              <Icon size={24} />
            </span>
            <h3 className="text-lg">{title}</h3>
            <p className="text-muted">{text}</p>
            {link ? (
              <Link href={paths.trust} className="text-link underline underline-offset-4">
                {link}
              </Link>
            ) : null}
          </li>
        ))}
      </ul>
    </section>
  );
}
