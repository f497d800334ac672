import { useLocation, useSearchParams } from 'wouter';
import { CATEGORIES, type Category } from '#shared/constants.ts';
import { SEARCH_MAX_CHARS } from '#shared/text/search.ts';
import { type Sort, sortOf, SORTS } from '#shared/listings/sort-names.ts';
import { paths } from '../../lib/paths.ts';

export interface Filters {
  sort: Sort;
  category: Category | null;
  search: string;
}

export const ALL: Filters = { sort: SORTS[0], category: null, search: '' };

const isCategory = (text: string | null): text is Category => (CATEGORIES as readonly (string | null)[]).includes(text);

export function addressOf({ sort, category, search }: Filters): string {
  const said = { sort: sort === ALL.sort ? '' : sort, category: category ?? '', search };
  const query = new URLSearchParams(Object.entries(said).filter(([, value]) => value !== ''));
  return query.size === 0 ? paths.leaderboard : `${paths.leaderboard}?${query}`;
}

export function useFilters(): [Filters, (changes: Partial<Filters>) => void] {
  const [params] = useSearchParams();
  const [, navigate] = useLocation();
  const category = params.get('category');
  const filters: Filters = {
    sort: sortOf(params.get('sort')),
    category: isCategory(category) ? category : null,
    search: (params.get('search') ?? '').slice(0, SEARCH_MAX_CHARS),
  };
  return [filters, (changes) => navigate(addressOf({ ...filters, ...changes }), { replace: true })];
}
