import { useSearchParams } from 'wouter';
import { CATEGORIES, type Category } from '#shared/constants.ts';
import { SEARCH_MAX_CHARS } from '#shared/search.ts';
import { isSort, type Sort } from '#shared/sort-names.ts';

export interface Filters {
  sort: Sort;
  category: Category | null;
  search: string;
}

export const ALL: Filters = { sort: 'bullish', category: null, search: '' };

const isCategory = (text: string | null): text is Category => (CATEGORIES as readonly (string | null)[]).includes(text);

export function useFilters(): [Filters, (changes: Partial<Filters>) => void] {
  const [params, setParams] = useSearchParams();
  const [order, category, search] = ['order', 'category', 'search'].map((name) => params.get(name));
  const filters: Filters = {
    sort: isSort(order ?? null) ? (order as Sort) : ALL.sort,
    category: isCategory(category ?? null) ? (category as Category) : null,
    search: (search ?? '').slice(0, SEARCH_MAX_CHARS),
  };
  const change = (changes: Partial<Filters>) => {
    const next = { ...filters, ...changes };
    const said = { order: next.sort === ALL.sort ? '' : next.sort, category: next.category ?? '', search: next.search };
    setParams(Object.fromEntries(Object.entries(said).filter(([, value]) => value !== '')), { replace: true });
  };
  return [filters, change];
}
