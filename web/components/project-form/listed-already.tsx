import { useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import type { ListedAlready } from '#shared/contract/projects.ts';
import { dayText } from '#shared/text/day-text.ts';
import { lookAlikeText } from '#shared/listings/listing-source.ts';
import { WITHHELD_TEXT } from '#shared/listings/withheld-text.ts';
import { readProjectText } from '#shared/listings/project-fields.ts';
import { api } from '../../lib/api.ts';
import { paths } from '../../lib/paths.ts';
import { useSettled } from '../../lib/use-settled.ts';
import type { ProjectForm } from '../../payments/project-draft.ts';
import { claimPath } from '../listing/claim-path.ts';

/** Fields by which an existing listing is found. */
const KEYS = { name: 'name', coinType: 'coin', packageId: 'package' } as const;
type KeyField = keyof typeof KEYS;
const FIELDS = Object.keys(KEYS) as KeyField[];
export const isKeyField = (field: string): field is KeyField => field in KEYS;

/** The typed values as they would be stored, without those that are empty, wrong, or unchanged. */
function askedOf(form: ProjectForm, own: OwnListing | undefined) {
  const fields = FIELDS.flatMap((field) => {
    const { stored, error } = readProjectText(field, form[field]);
    return error !== null || stored === '' || form[field] === own?.form[field] ? [] : [[KEYS[field], stored] as const];
  });
  return Object.fromEntries(fields) as Partial<Record<(typeof KEYS)[KeyField], string>>;
}

/** A listing that is changed, as it is. */
export interface OwnListing {
  id: number;
  form: ProjectForm;
}

/** The last answer stays until the next one, so that nothing flashes at each key. A failed read says nothing. */
export function useListedAlready(form: ProjectForm, own?: OwnListing): ListedAlready[] {
  const asked = askedOf(form, own);
  const settled = useSettled(JSON.stringify(asked));
  const { data = [] } = useQuery({
    queryKey: ['findListed', settled, own?.id],
    queryFn: ({ signal }) => {
      const query = JSON.parse(settled) as typeof asked;
      return api.findListed({ query: { ...query, ...(own ? { except: own.id } : {}) }, signal });
    },
    enabled: settled !== '{}',
    placeholderData: (previous) => previous,
  });
  return data.filter(({ by }) => asked[by === 'look' ? 'name' : by] !== undefined);
}

function Words({ by, name, slug, since, isClaimable }: ListedAlready) {
  const page = (
    <Link href={paths.project({ id: 0, slug })} className="font-semibold underline underline-offset-4">
      {name}
    </Link>
  );
  const claim = isClaimable ? (
    <Link href={claimPath(slug)} className="font-semibold underline underline-offset-4">
      Yours? Claim it, free
    </Link>
  ) : null;
  if (by === 'look')
    return (
      <>
        This name looks like {page}. {claim} Your listing is live at once, marked ‘{lookAlikeText({ name, since })}’.{' '}
        {WITHHELD_TEXT} A moderator clears the mark, or hides the listing and you get your fee back.
      </>
    );
  if (claim)
    return (
      <>
        It is listed already. {claim} ({page}, since {dayText(since)})
      </>
    );
  return (
    <>
      It is listed already: {page}, since {dayText(since)}.
    </>
  );
}

/** Says below a field what is listed already (R72), or that the name will be marked (R74). */
export function ListedNote({ field, listed }: { field: KeyField; listed: readonly ListedAlready[] }) {
  const shown = listed.filter(({ by }) => by === KEYS[field] || (by === 'look' && field === 'name'));
  return (
    <output className={shown.length === 0 ? 'sr-only' : 'grid gap-2 text-sm wrap-anywhere text-text'}>
      {shown.map((one) => (
        <p key={one.by} className="rounded-lg bg-raised p-3">
          <Words {...one} />
        </p>
      ))}
    </output>
  );
}
