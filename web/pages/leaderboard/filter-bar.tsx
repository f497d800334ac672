import { Search } from 'lucide-react';
import { type RefObject, useEffect, useRef, useState } from 'react';
import { CATEGORIES, type Category } from '#shared/constants.ts';
import { SEARCH_MAX_CHARS } from '#shared/search.ts';
import { Input, Select } from '../../ui/field.tsx';
import { Segmented } from '../../ui/segmented.tsx';
import { SORT_OPTIONS } from './sorts.tsx';
import type { Filters } from './use-filters.ts';

/** After the last key, before a search: quick enough to follow, slow enough not to ask for each letter. */
const PAUSE_MS = 250;

function useTyped(search: string, onSearch: (search: string) => void): [string, (text: string) => void] {
  const [text, setText] = useState(search);
  const asked = useRef(search);
  const pause = useRef(0);
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
      onSearch(next.trim());
    }, PAUSE_MS);
  };
  return [text, type];
}

/** Scrolls the row sideways to what is chosen in it; `scrollIntoView` would scroll the page, too. */
function useChosenInSight(row: RefObject<HTMLElement | null>, { sort, category }: Filters): void {
  useEffect(() => {
    const chosen = row.current?.querySelector(category === null ? `label:has([value='${sort}'])` : 'select');
    if (!row.current || !chosen) return;
    const [frame, box] = [row.current.getBoundingClientRect(), chosen.getBoundingClientRect()];
    const beyond = Math.max(0, box.right - frame.right) || Math.min(0, box.left - frame.left);
    row.current.scrollBy(beyond, 0);
  }, [row, sort, category]);
}

interface FilterBarProps {
  filters: Filters;
  onChange: (changes: Partial<Filters>) => void;
}

/** One row: below 64rem the search is a glass that opens by its own focus, so that it needs no script, and the rest scrolls sideways. */
export function FilterBar({ filters, onChange }: FilterBarProps) {
  const { sort, category, search } = filters;
  const [text, type] = useTyped(search, (next) => onChange({ search: next }));
  const row = useRef<HTMLDivElement>(null);
  useChosenInSight(row, filters);
  return (
    <search className="flex w-full items-center gap-2">
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
          className="rounded-full! pe-0.5 ps-10 lg:pe-3.5"
        />
      </span>
      <div
        ref={row}
        className="-my-2 -me-4 flex min-w-0 items-center gap-2 overflow-x-auto py-2 pe-4 ps-1.5 pointer-coarse:[scrollbar-width:none] md:-me-8 md:pe-8 lg:me-0 lg:shrink-0 lg:pe-0"
      >
        <Segmented
          label="Order"
          options={SORT_OPTIONS}
          value={sort}
          onChange={(next) => onChange({ sort: next })}
          className="max-w-none shrink-0 max-sm:[&_label]:min-h-9 max-sm:[&_label]:px-3"
        />
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
