import type { OpenApiDocument, Operation } from '#shared/openapi/types.ts';

/** An endpoint as the page lists it. */
export interface Listed {
  method: string;
  path: string;
  operation: Operation;
  /** The text that a search looks through. */
  text: string;
}

export interface Group {
  name: string;
  title: string;
  about: string;
  endpoints: Listed[];
}

/** 'dailyDeck' and 'daily-deck' → 'Daily deck'. */
function titleOf(tag: string): string {
  if (tag === 'open') return 'Open API';
  const words = tag.replaceAll('-', ' ').replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  return words.charAt(0).toUpperCase() + words.slice(1);
}

function textOf(method: string, path: string, { operationId, summary, tags, parameters }: Operation): string {
  const names = parameters.map(({ name }) => name);
  return [method, path, operationId, summary, ...tags, ...names].join(' ').toLowerCase();
}

/** The endpoints of the document by group, in its order. */
export function groupsOf({ paths, tags }: OpenApiDocument): Group[] {
  const all = Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([name, operation]): Listed => {
      const method = name.toUpperCase();
      return { method, path, operation, text: textOf(method, path, operation) };
    }),
  );
  return tags.map(({ name, description }) => ({
    name,
    title: titleOf(name),
    about: description,
    endpoints: all.filter(({ operation }) => operation.tags.includes(name)),
  }));
}

/** The groups with the endpoints in which every word of a search occurs. */
export function searchGroups(groups: readonly Group[], search: string): Group[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...groups];
  const fits = ({ text }: Listed): boolean => words.every((word) => text.includes(word));
  return groups
    .map((group) => ({ ...group, endpoints: group.endpoints.filter(fits) }))
    .filter(({ endpoints }) => endpoints.length > 0);
}
