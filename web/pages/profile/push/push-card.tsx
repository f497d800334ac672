import type { PushChoice } from '#shared/contract/push.ts';
import { PUSH_KINDS, type PushKind } from '#shared/people/push-kinds.ts';
import { ErrorState } from '../../../components/states/error-state.tsx';
import { Button } from '../../../ui/button.tsx';
import { Card, CardTitle } from '../../../ui/card.tsx';
import { Switch } from '../../../ui/switch.tsx';
import { hindrance } from '../../../components/push/browser-push.ts';
import { type PushPress, usePush } from '../../../components/push/use-push.ts';
import { HomeScreenFirst, InstallApp } from './install.tsx';

const LABELS: Record<PushKind, string> = {
  money: 'Money and answers: payouts, hidden listings, appeals, replies',
  project: 'My projects, votes and follows: a project I own, voted on or follow changes, turns or gets a review',
  votes_back: 'My votes are back',
};

interface Part {
  choice: PushChoice;
  pressed: PushPress['name'] | null;
  onPress: (press: PushPress) => void;
}

function Kinds({ choice: { kinds }, pressed, onPress }: Part) {
  const toggle = (kind: PushKind): void => {
    const next = PUSH_KINDS.filter((one) => (one === kind ? !kinds.includes(one) : kinds.includes(one)));
    onPress({ name: 'choose', args: [next] });
  };
  return (
    <fieldset className="mt-4">
      <legend className="font-semibold">Tell me when</legend>
      {PUSH_KINDS.map((kind) => (
        <div key={kind} className="flex min-h-13 items-center justify-between gap-4 py-1.5">
          <span id={`push-${kind}`}>{LABELS[kind]}</span>
          <Switch
            labelledBy={`push-${kind}`}
            checked={kinds.includes(kind)}
            isSending={pressed !== null}
            onChange={() => toggle(kind)}
          />
        </div>
      ))}
    </fieldset>
  );
}

const BLOCKED =
  'Your browser blocks notifications of this site. Allow them in its settings for this site, then reload.';

function stateText({ isOnHere, browsers }: PushChoice): string {
  if (isOnHere) return browsers > 1 ? `On in this browser and ${browsers - 1} more.` : 'On in this browser.';
  return browsers > 0 ? `Off in this browser, on in ${browsers} more.` : 'Off in this browser.';
}

function Here({ choice, pressed, onPress, isBlocked }: Part & { isBlocked: boolean }) {
  const { publicKey, isOnHere, browsers, kinds } = choice;
  const isOff = browsers === 0 && kinds.length === 0;
  if (isBlocked)
    return (
      <p className="mt-4 font-semibold">
        <output>{stateText(choice)}</output> {BLOCKED}
      </p>
    );
  return (
    <div className="mt-2 flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t border-line pt-4">
      <output>{stateText(choice)}</output>
      <div className="flex flex-wrap gap-2">
        {isOnHere ? (
          <Button
            variant="secondary"
            disabled={pressed !== null}
            busy={pressed === 'test' ? 'Sending…' : false}
            onClick={() => onPress({ name: 'test', args: [] })}
          >
            Send a test
          </Button>
        ) : (
          <Button
            disabled={pressed !== null || publicKey === null}
            busy={pressed === 'turnOn' ? 'Turning on…' : false}
            onClick={() => onPress({ name: 'turnOn', args: [publicKey ?? ''] })}
          >
            Turn on in this browser
          </Button>
        )}
        {isOff ? null : (
          <Button
            variant="secondary"
            disabled={pressed !== null}
            busy={pressed === 'turnOff' ? 'Turning off…' : false}
            onClick={() => onPress({ name: 'turnOff', args: [] })}
          >
            Turn all off
          </Button>
        )}
      </div>
    </div>
  );
}

export function PushCard({ userId }: { userId: number }) {
  const { data: choice, error, refetch, isFetching, press, pressed } = usePush(userId);
  const why = hindrance();
  if (choice?.publicKey === null) return null;
  return (
    <Card aria-labelledby="push">
      <CardTitle id="push">Notifications</CardTitle>
      {!choice && error ? <ErrorState error={error} onRetry={() => void refetch()} retrying={isFetching} /> : null}
      {why === 'unsupported' ? (
        <p className="text-muted">
          This browser cannot receive notifications. The bell at the top of the page shows all of them.
        </p>
      ) : null}
      {why === 'not_installed' ? <HomeScreenFirst /> : null}
      {choice && (why === null || why === 'blocked') ? (
        <>
          <p className="text-muted">
            Get told when Snapswipe is closed, too: one a day at most, plus money and answers. Signing out ends them
            here.
          </p>
          <Kinds choice={choice} pressed={pressed} onPress={press} />
          <Here choice={choice} pressed={pressed} onPress={press} isBlocked={why === 'blocked'} />
        </>
      ) : null}
      <InstallApp />
    </Card>
  );
}
