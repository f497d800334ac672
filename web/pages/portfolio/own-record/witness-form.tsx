import { useState, type FormEvent } from 'react';
import { needed } from '../../../lib/chunks.ts';
import { Button } from '../../../ui/button.tsx';
import { Field, Input, Textarea } from '../../../ui/field.tsx';
import { readWitnesses, storeWitnesses } from './own-witnesses.ts';

/** The problem of a key; null for one that is well formed. */
async function problemOf(key: string): Promise<string | null> {
  const { NoteError, parseVerifier } = await needed(import('#record/log/note.ts'));
  try {
    parseVerifier(key, 'cosignature');
    return null;
  } catch (error) {
    if (!(error instanceof NoteError)) throw error;
    return `${key.slice(0, 40)}: ${error.message}`;
  }
}

/** Whose cosignatures the user asks for, instead of those that the site names; kept in this browser. */
export function WitnessForm({ onChange }: { onChange: () => void }) {
  const [stored] = useState(readWitnesses);
  const [text, setText] = useState(stored?.keys.join('\n') ?? '');
  const [quorum, setQuorum] = useState(String(stored?.quorum ?? 1));
  const [error, setError] = useState<string | null>(null);
  const keys = [...new Set(text.split('\n').map((line) => line.trim()))].filter(Boolean);
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const problem = (await Promise.all(keys.map(problemOf))).find((found) => found !== null) ?? null;
    setError(problem);
    if (problem !== null) return;
    storeWitnesses(keys.length === 0 ? null : { keys, quorum: Math.min(Number(quorum), keys.length) });
    onChange();
  };
  return (
    <details className="rounded-lg border border-line px-4">
      <summary className="min-h-11 cursor-pointer py-2.5 font-semibold">Witnesses of your own choice</summary>
      <form className="grid max-w-prose gap-4 pb-4" onSubmit={(event) => void save(event)}>
        <Field
          label="Keys of witnesses that you trust"
          hint="One on each line, as a witness shows it: name+id+key. Without any, those that this site names are looked for."
          error={error}
        >
          {(control) => (
            <Textarea
              {...control}
              rows={3}
              spellCheck={false}
              className="font-mono text-sm"
              value={text}
              onChange={(event) => setText(event.target.value)}
            />
          )}
        </Field>
        <Field label="How many of them have to have cosigned">
          {(control) => (
            <Input
              {...control}
              type="number"
              min={1}
              max={Math.max(1, keys.length)}
              required
              className="w-28"
              value={quorum}
              onChange={(event) => setQuorum(event.target.value)}
            />
          )}
        </Field>
        <Button type="submit" variant="secondary" className="justify-self-start">
          Save and check again
        </Button>
      </form>
    </details>
  );
}
