import { switchLetterKeys, useLetterKeys } from '../../lib/key-of.ts';
import { Card, CardTitle } from '../../ui/card.tsx';
import { Switch } from '../../ui/switch.tsx';

export function KeyboardCard() {
  const areOn = useLetterKeys();
  return (
    <Card aria-labelledby="keyboard">
      <CardTitle id="keyboard">Keyboard</CardTitle>
      <div className="flex items-center justify-between gap-4">
        <p>
          <span id="letter-keys" className="font-semibold">
            Letters S to skip and Z to undo
          </span>
          <span className="block text-muted">Turn them off if you dictate. The arrow keys always work.</span>
        </p>
        <Switch labelledBy="letter-keys" checked={areOn} onChange={switchLetterKeys} />
      </div>
    </Card>
  );
}
