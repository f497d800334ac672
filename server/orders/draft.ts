import type { ProjectChanges, ProjectDraft } from '#shared/contract/projects.ts';
import { cleanProjectText, validateProjectField, type ProjectTextField } from '#shared/project-rules.ts';
import { twitterHandle } from '#shared/link-rules.ts';
import { invalidField } from '../http/errors.ts';

/** The texts of a project as stored; the picture is taken in separately. */
export interface ProjectFields {
  name: string;
  category: string;
  description: string;
  twitterHandle: string;
  website: string | null;
}

function clean(field: ProjectTextField, text: string | null | undefined): string {
  const cleaned = cleanProjectText(field, text ?? '');
  const error = validateProjectField(field, cleaned);
  if (error !== null) throw invalidField(field, error);
  return cleaned;
}

/** A link or a handle as the bare handle (R12). */
const cleanHandle = (text: string): string => twitterHandle(clean('twitterHandle', text)) ?? '';

/** A whole project from a form; 400 with the first field that a person has to correct (S5.3, R12, R15, R24, R26). */
export function cleanDraft(draft: Omit<ProjectDraft, 'imageUrl'>): ProjectFields {
  return {
    name: clean('name', draft.name),
    category: clean('category', draft.category),
    description: clean('description', draft.description),
    twitterHandle: cleanHandle(draft.twitterHandle),
    website: clean('website', draft.website) || null,
  };
}

/** Only the fields sent, by the same rules; a website of null or '' is removed (S5.4, R24). */
export function cleanChanges(changes: ProjectChanges): Partial<ProjectFields> {
  const { name, category, description, twitterHandle: handle, website } = changes;
  return {
    ...(name === undefined ? {} : { name: clean('name', name) }),
    ...(category === undefined ? {} : { category: clean('category', category) }),
    ...(description === undefined ? {} : { description: clean('description', description) }),
    ...(handle === undefined ? {} : { twitterHandle: cleanHandle(handle) }),
    ...(website === undefined ? {} : { website: clean('website', website) || null }),
  };
}
