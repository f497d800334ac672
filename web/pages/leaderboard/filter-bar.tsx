import { Search } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { Link } from 'wouter';
import { CATEGORIES, type Category } from '#shared/constants.ts';
import { SEARCH_MAX_CHARS } from '#shared/text/search.ts';
import { SORTS } from '#shared/listings/sort-names.ts';
import { Input, Select } from '../../ui/field.tsx';
import { SORT_LOOKS } from './sorts.tsx';
import { addressOf, type Filters } from './use-filters.ts';

/** After the last key, before a search: quick enough to follow, slow enough not to ask for each letter. */
const PAUSE_MS = 250;

function useTyped(search: string, onSearch: (search: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(search);
  const asked = useRef(search);
  const pause = useRef(0);
  // An order that was pressed during the pause counts, too.
  const latest = useRef(onSearch);
  useEffect(() => {
    latest.current = onSearch;
  });
  useEffect(() => {
    if (search !== asked.current) setText(search);
    asked.current = search;
  }, [search]);
  useEffect(() => () => clearTimeout(pause.current), []);
  const type = (next: string) => {
    setText(next);
    clearTimeout(pause.current);
    pause.current = window.setTimeout(() => {
      asked.current = next.trim();
      latest.current(next.trim());
    }, PAUSE_MS);
  };
  return [text, type];
}

/** Scrolls the row sideways to what is chosen in it; `scrollIntoView` would scroll the page, too. */
function useChosenInSight(row: RefObject<HTMLElement | null>, { sort, category }: Filters): void {
  useEffect(() => {
    const chosen = row.current?.querySelector(
      category === null ? `nav > :nth-child(${SORTS.indexOf(sort) + 1})` : 'select',
    );
    if (!row.current || !chosen) return;
    const [frame, box] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()];
    const beyond = Math.max(0, box.right - frame.right) || Math.min(0, box.left - frame.left);
    row.current.scrollBy(beyond, 0);
  }, [row, sort, category]);
}

/** Links, which also do what they say before the code has come, and in another tab. */
function Orders({ filters }: { filters: Filters }) {
  return (
    <nav
      aria-label="Order"
      className="inline-flex shrink-0 gap-1 rounded-full border border-line bg-raised p-1 max-sm:gap-0.5 max-sm:p-0.5"
    >
      {SORTS.map((sort) => {
        const isChosen = sort === filters.sort;
        return (
          <Link
            key={sort}
            href={addressOf({ ...filters, sort })}
            replace={isChosen}
            aria-current={isChosen ? 'page' : undefined}
            className="inline-flex min-h-11 items-center rounded-full px-4 font-semibold whitespace-nowrap text-muted transition-colors hover:text-text aria-[current]:bg-accent aria-[current]:text-on-accent max-sm:min-h-9 max-sm:px-2.5 max-[22rem]:px-1.5"
          >
            {SORT_LOOKS[sort].label}
          </Link>
        );
      })}
    </nav>
  );
}

interface FilterBarProps {
  filters: Filters;
  onChange: (changes: Partial<Filters>) => void;
}

/** One row: below 64rem the search is a glass that opens by its own focus, so that it needs no script, and the rest scrolls sideways. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { category, search } = filters;
  const [text, type] = useTyped(search, (next) => onChange({ search: next }));
  const row = useRef<HTMLDivElement>(null);
  useChosenInSight(row, filters);
  return (
    <search className="flex w-full items-center gap-2 self-end">
      {/* Closes late: what was pressed beside it must not move away before the press ends. */}
      <span className="relative shrink-0 basis-11 transition-[flex-basis] delay-300 duration-150 has-focus:basis-3/5 has-focus:delay-0 has-[input:not(:placeholder-shown)]:basis-3/5 lg:flex-1 lg:transition-none">
        <Search
          aria-hidden
          size={18}
          className="pointer-events-none absolute top-1/2 start-3.25 -translate-y-1/2 text-faint"
        />
        <Input
          type="search"
          aria-label="Search"
          value={text}
          onChange={(event) => type(event.target.value)}
          maxLength={SEARCH_MAX_CHARS}
          autoComplete="off"
          placeholder="Name, category, words"
          className="rounded-full! pe-0.5 ps-9"
        />
      </span>
      <div
        ref={row}
        className="-my-2 -me-4 flex min-w-0 items-center gap-2 overflow-x-auto py-2 pe-4 ps-1.5 pointer-coarse:[scrollbar-width:none] max-lg:[mask-image:linear-gradient(to_left,transparent,#000_1.5rem)] rtl:max-lg:[mask-image:linear-gradient(to_right,transparent,#000_1.5rem)] md:-me-8 md:pe-8 lg:me-0 lg:shrink-0 lg:pe-0"
      >
        <Orders filters={filters} />
        <span className="w-40 shrink-0">
          <Select
            aria-label="Category"
            value={category ?? ''}
            onChange={({ target }) => onChange({ category: target.value === '' ? null : (target.value as Category) })}
            className="rounded-full!"
          >
            <option value="">All categories</option>
            {CATEGORIES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        </span>
      </div>
    </search>
  );
}
