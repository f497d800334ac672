import type { ProjectChanges, ProjectDraft } from '#shared/contract/projects.ts';
import {
  projectTextFields,
  projectTexts,
  type ProjectTextField,
  type ProjectTexts,
  readProjectText,
} from '#shared/listings/project-fields.ts';
import { invalidField } from '#server/kit/http/errors.ts';

function clean(field: ProjectTextField, text: string | null | undefined): string {
  const { stored, error } = readProjectText(field, text ?? '');
  if (error !== null) throw invalidField(field, error);
  return stored;
}

/** @throws 400 with the first field to correct (S5.3, R12, R15, R24, R26) */
export const cleanDraft = (draft: Omit<ProjectDraft, 'imageUrl'>): ProjectTexts =>
  projectTexts(projectTextFields, (field) => clean(field, draft[field]));

/** Changes only the texts sent; null or '' removes an optional one (S5.4, R24). */
export function cleanChanges(changes: ProjectChanges): Partial<ProjectTexts> {
  const sent = projectTextFields.filter((field) => changes[field] !== undefined);
  return projectTexts(sent, (field) => clean(field, changes[field]));
}
