import { Search } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { CATEGORIES, type Category } from '#shared/constants.ts';
import { SEARCH_MAX_CHARS } from '#shared/search.ts';
import { Field, Input, Select } from '../../ui/field.tsx';
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

interface FilterBarProps {
  filters: Filters;
  onChange: (changes: Partial<Filters>) => void;
}

export function FilterBar({ filters: { sort, category, search }, onChange }: FilterBarProps) {
  const [text, type] = useTyped(search, (next) => onChange({ search: next }));
  return (
    <search className="grid w-full items-end gap-3 sm:grid-cols-[1fr_12rem]">
      <Field label="Search">
        {(control) => (
          <span className="relative">
            <Search aria-hidden size={18} className="absolute top-1/2 left-3.5 -translate-y-1/2 text-faint" />
            <Input
              {...control}
              type="search"
              value={text}
              onChange={(event) => type(event.target.value)}
              maxLength={SEARCH_MAX_CHARS}
              autoComplete="off"
              placeholder="Name, category, words"
              className="pl-10"
            />
          </span>
        )}
      </Field>
      <Field label="Category">
        {(control) => (
          <Select
            {...control}
            value={category ?? ''}
            onChange={({ target }) => onChange({ category: target.value === '' ? null : (target.value as Category) })}
          >
            <option value="">All categories</option>
            {CATEGORIES.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </Select>
        )}
      </Field>
      <div className="sm:col-span-2">
        <Segmented
          label="Order"
          options={SORT_OPTIONS}
          value={sort}
          onChange={(next) => onChange({ sort: next })}
          className="max-sm:flex-wrap max-sm:rounded-2xl"
        />
      </div>
    </search>
  );
}
