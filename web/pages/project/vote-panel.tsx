import { type RefObject, useEffect, useId, useLayoutEffect, useRef, useState } from 'react';
import { VOTES_PER_WINDOW } from '#shared/constants.ts';
import { dayText } from '#shared/text/day-text.ts';
import { ReadNote } from '../../components/states/read-note.tsx';
import { takeEarlyPress } from '../../lib/early-press.ts';
import { shortcutOf, useLetterKeys } from '../../lib/key-of.ts';
import { CHANGE_HASH } from '../../lib/paths.ts';
import { takeBackGuestVote } from '../../offline/guest-vote-list.tsx';
import { keepGuestVote, useGuestVotes } from '../../offline/guest-votes.ts';
import { CountVotesButton } from '../../components/session/count-votes-button.tsx';
import { toast } from '../../lib/toast.ts';
import { useIsPast } from '../../lib/use-is-past.ts';
import { cn } from '../../ui/class-names.ts';
import { Skeleton } from '../../ui/skeleton.tsx';
import { castVote } from '../../voting/cast-vote.ts';
import { agreement } from '../../voting/last-vote.ts';
import { LostLine } from '../../voting/lost-line.tsx';
import { useLostVote } from '../../voting/lost-votes.ts';
import { Reasons } from '../../voting/reasons.tsx';
import { undoLastVote } from '../../voting/undo.ts';
import { CANNOT_VOTE, type NewVote } from '../../voting/send-vote.ts';
import { useVotingStatus, type VoteAllowance } from '../../voting/use-voting-status.ts';
import { VOTE_LOOKS } from '../../voting/vote-looks.ts';
import { Reveal, useUndoable } from '../../voting/reveal.tsx';
import { opposite, type VoteType } from '../../voting/vote-type.ts';
import { openConnectDialog, preloadWallet } from '../../wallet-gate.ts';
import * as styles from './project.module.css';
import type { ProjectView } from './project-view.ts';
import { useVoteState, type VoteState } from './use-vote-state.ts';
import { AllowanceLine } from '../../voting/allowance-line.tsx';

const VOTES: readonly VoteType[] = ['bearish', 'bullish'];

const TOO_MANY = {
  title: 'Sign in first',
  description: `${VOTES_PER_WINDOW} votes are waiting in this browser. Sign in to count them, then vote again.`,
};

interface VoteButtonProps {
  voteType: VoteType;
  isDisabled: boolean;
  isChosen: boolean;
  describedBy: string;
  onPress: () => void;
  onNear?: (() => void) | undefined;
}

/** aria-disabled instead of disabled: the focus stays on a button that is switched off under it. */
function VoteButton({ voteType, isDisabled, isChosen, describedBy, onPress, onNear }: VoteButtonProps) {
  const { label, Icon, button, chosen } = VOTE_LOOKS[voteType];
  const off = isChosen ? chosen : 'border-line bg-raised text-faint';
  return (
    <button
      type="button"
      data-vote={voteType}
      aria-disabled={isDisabled || undefined}
      aria-pressed={isChosen}
      aria-describedby={describedBy}
      onPointerEnter={onNear}
      onClick={() => {
        if (!isDisabled) onPress();
      }}
      className={cn(
        'inline-flex min-h-14 flex-1 items-center justify-center gap-2 rounded-full border-2 px-4 text-lg @max-xs:px-1 font-bold select-none',
        'transition-[transform,background-color,color,border-color] duration-200 ease-snap',
        isDisabled ? cn('cursor-not-allowed', off) : cn(button, 'active:scale-97'),
      )}
    >
      <Icon aria-hidden size={24} strokeWidth={2.5} className="@max-xs:hidden" />
      {label}
    </button>
  );
}

function StateLine({
  project,
  state,
  allowance,
  onChange,
}: {
  project: ProjectView;
  state: VoteState;
  allowance: VoteAllowance;
  onChange: (() => void) | null;
}) {
  switch (state.step) {
    case 'visitor':
      return <span>Connect a wallet to vote. Voting is free.</span>;
    case 'guest':
      return <Guest project={project} />;
    case 'sending':
      return <span>Your {state.vote} vote is being sent.</span>;
    case 'loading':
      return <Skeleton className="h-5 w-40" />;
    case 'failed':
      return <ReadNote failure={state.failure} />;
    case 'open':
      return <AllowanceLine allowance={allowance} />;
    case 'voted':
      return <Voted state={state} onChange={onChange} />;
    case 'ended':
      return <span>Sign in again to vote</span>;
    default:
      return <span>{CANNOT_VOTE[state.step]}</span>;
  }
}

function Guest({ project }: { project: ProjectView }) {
  const votes = useGuestVotes();
  const vote = votes.find((one) => one.project.id === project.id);
  return (
    <>
      <CountVotesButton votes={votes} />
      {vote ? <LineButton onPress={() => takeBackGuestVote(vote)}>Undo</LineButton> : null}
    </>
  );
}

const STILL: Record<VoteType, string> = {
  bullish: 'Bearish now, or still bullish?',
  bearish: 'Bullish now, or still bearish?',
};

type VotedState = Extract<VoteState, { step: 'voted' }>;

function Voted({ state, onChange }: { state: VotedState; onChange: (() => void) | null }) {
  const { vote, since, when, result, undo } = state;
  const undoable = useUndoable();
  const offered = undo !== null && undoable?.id === undo.id ? undo : null;
  return (
    <>
      <span className="min-w-0 flex-1">
        {result && !undo?.result ? (
          <b key="result" className="text-text">
            {agreement(vote, result)}
          </b>
        ) : null}
        {offered ? (
          <span key="vote">
            You voted <b className="text-text">{vote}</b>
          </span>
        ) : (
          <span key="since" className={cn('block', result && 'text-xs')}>
            <b className={result ? undefined : 'text-text'}>{VOTE_LOOKS[vote].label}</b> since {dayText(since)}
          </span>
        )}
        {when === undefined || offered || undo?.result ? null : <span className="block text-xs">{when}</span>}
      </span>
      {!offered && onChange ? <LineButton onPress={onChange}>Change</LineButton> : null}
    </>
  );
}

function Choosing({ state: { vote }, onCancel }: { state: VotedState; onCancel: () => void }) {
  return (
    <>
      <span>{STILL[vote]}</span>
      <LineButton onPress={onCancel}>Cancel</LineButton>
    </>
  );
}

function LineButton({ onPress, children }: { onPress: () => void; children: string }) {
  return (
    <button
      type="button"
      onClick={onPress}
      className="inline-flex min-h-11 shrink-0 items-center rounded-full px-4 text-sm font-bold text-link transition-colors select-none hover:bg-overlay"
    >
      {children}
    </button>
  );
}

function useUndoKey(): void {
  useLetterKeys();
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      const { target } = event;
      const isModified = event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.repeat;
      const isTyping = target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]');
      if (shortcutOf(event) === 'z' && !isModified && !isTyping) undoLastVote();
    };
    addEventListener('keydown', onKeyDown);
    return () => removeEventListener('keydown', onKeyDown);
  }, []);
}

/** On a phone reasons are one line, which scrolls sideways with large text only: the share stays in sight above it. */
const IN_ONE_LINE =
  'max-md:*:flex-nowrap max-md:*:ps-0 max-[23rem]:[&_span]:hidden max-md:[&_button]:shrink-0 max-md:[&_button]:grow max-md:[&_button]:px-1 max-md:[&_button]:text-xs max-md:[&_fieldset]:-m-1.5 max-md:[&_fieldset]:flex-1 max-md:[&_fieldset]:gap-1 max-md:[&_fieldset]:flex-nowrap max-md:[&_fieldset]:overflow-x-auto max-md:[&_fieldset]:p-1.5 max-md:[&_fieldset]:[scrollbar-width:none]';

/** Whether the part has been scrolled past, and the footer, which the buttons would cover, is not on the screen. */
function useIsPassed(part: RefObject<Element | null>): boolean {
  const [{ isPast, isEnd }, setPlace] = useState({ isPast: false, isEnd: false });
  useEffect(() => {
    const watch = new IntersectionObserver((entries) => {
      for (const { target, isIntersecting, boundingClientRect } of entries) {
        const isPart = target === part.current;
        const found = isPart
          ? { isPast: !isIntersecting && boundingClientRect.bottom <= 0 }
          : { isEnd: isIntersecting };
        setPlace((place) => ({ ...place, ...found }));
      }
    });
    for (const watched of [part.current, document.querySelector('footer')]) if (watched) watch.observe(watched);
    return () => watch.disconnect();
  }, [part]);
  return isPast && !isEnd;
}

export function VotePanel({ project }: { project: ProjectView }) {
  const state = useVoteState(project);
  const [isSending, setSending] = useState(false);
  const sectionRef = useRef<HTMLElement>(null);
  const [isChoosing, setChoosing] = useState(() => typeof location !== 'undefined' && location.hash === CHANGE_HASH);
  const isChangeable = useIsPast(state.step === 'voted' ? state.changeableFrom : null);
  const changeable = state.step === 'voted' && isChangeable ? state : null;
  const chosenAnew = isChoosing ? changeable : null;
  const asked = state.step === 'open' ? state : chosenAnew;
  const found = useLostVote((asked ?? changeable)?.userId ?? 0, project.id);
  const lost = !isSending && found?.changes === changeable?.vote ? found : undefined;
  const allowance = useVotingStatus(asked?.userId ?? 0, state.step === 'open');
  const lineId = useId();
  const undoable = useUndoable();
  useUndoKey();
  const isVisitor = state.step === 'visitor' || state.step === 'guest';
  const isAllowed = chosenAnew !== null || allowance.phase === 'open';
  const canPress = isVisitor || (asked !== null && isAllowed && !isSending);
  const isPassed = useIsPassed(sectionRef) && (canPress || isSending || undoable?.project.id === project.id);
  const send = async (vote: NewVote, lastTime: VoteType | null) => {
    setSending(true);
    setChoosing(false);
    await castVote(vote, { lastTime });
    setSending(false);
  };
  const press = async (vote: VoteType) => {
    if (asked === null) {
      // It waits, and the sign-in that begins here sends it (R76).
      if (!keepGuestVote(project, vote)) toast(TOO_MANY);
      openConnectDialog();
      return;
    }
    const { userId } = asked;
    const changed = asked.step === 'voted' && { changes: asked.vote };
    await send({ userId, project, voteType: vote, ...changed }, asked.step === 'voted' ? null : asked.lastTime);
  };
  const retry = (vote: NewVote) => {
    sectionRef.current?.focus();
    void send(vote, state.step === 'open' ? state.lastTime : null);
  };
  const latestPress = useRef(press);
  useLayoutEffect(() => {
    latestPress.current = press;
  });
  useEffect(() => {
    if (!canPress) return;
    takeEarlyPress(({ act, card }) => {
      if (card === project.id && act !== 'skip') void latestPress.current(act);
    });
  }, [canPress, project.id]);
  const choose = (isOn: boolean, vote: VoteType) => {
    setChoosing(isOn);
    sectionRef.current?.querySelector<HTMLElement>(`[data-vote="${isOn ? opposite(vote) : vote}"]`)?.focus();
  };
  const isAgain = state.step === 'open' && state.lastTime !== null;
  return (
    <section
      ref={sectionRef}
      tabIndex={-1}
      data-quiet-focus
      aria-label="Your vote"
      data-project={project.id}
      className={cn(styles.panel, isPassed && styles.passed, 'grid gap-2')}
    >
      {isAgain ? <p className="display text-lg">Still bullish?</p> : null}
      {/* The sides of a swipe, in every language. */}
      <div className={`${styles.voting} grid gap-2`}>
        <div className="@container">
          <div dir="ltr" className="flex gap-3">
            {VOTES.map((vote) => (
              <VoteButton
                key={vote}
                voteType={vote}
                isDisabled={!canPress}
                isChosen={chosenAnew === null && 'vote' in state && state.vote === vote}
                describedBy={lineId}
                onPress={() => void press(vote)}
                onNear={isVisitor ? preloadWallet : undefined}
              />
            ))}
          </div>
        </div>
        {state.step === 'voted' && state.undo && !chosenAnew && !lost ? (
          <Reveal key={state.undo.id} vote={state.undo} />
        ) : null}
        <div id={lineId} className="flex min-h-11 items-center justify-between gap-3 ps-1 text-sm text-muted">
          {chosenAnew ? <Choosing state={chosenAnew} onCancel={() => choose(false, chosenAnew.vote)} /> : null}
          {!chosenAnew && lost ? <LostLine vote={lost} onRetry={() => retry(lost)} /> : null}
          {chosenAnew || lost ? null : (
            <StateLine
              project={project}
              state={state}
              allowance={allowance}
              onChange={changeable && (() => choose(true, changeable.vote))}
            />
          )}
        </div>
      </div>
      {state.step === 'voted' && !chosenAnew ? (
        <div className={IN_ONE_LINE}>
          <Reasons userId={state.userId} projectId={project.id} />
        </div>
      ) : null}
    </section>
  );
}
