import type { ProjectChanges } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import { cleanProjectText, validateProjectField, PROJECT_TEXT_FIELDS } from '#shared/project-rules.ts';
import { twitterHandle } from '#shared/link-rules.ts';
import { xProfile } from '../../lib/paths.ts';
import type { FieldErrors, ProjectForm } from '../../payments/project-draft.ts';

/** A project as the form shows it: the handle as the link that it stands for. */
export function toForm(project: Project): ProjectForm {
  return {
    name: project.name,
    category: project.category,
    description: project.description,
    twitterHandle: xProfile(project.twitterHandle),
    website: project.website ?? '',
    imageUrl: project.imageUrl,
  };
}

/** Only the fields that differ from what is stored (R24). */
export function changesOf(form: ProjectForm, project: Project): ProjectChanges {
  const stored = toForm(project);
  const changes: ProjectChanges = {};
  for (const field of PROJECT_TEXT_FIELDS) {
    const text = cleanProjectText(field, form[field]);
    if (text === stored[field]) continue;
    if (field === 'website') changes.website = text || null;
    else if (field !== 'twitterHandle' || twitterHandle(text) !== project.twitterHandle) changes[field] = text;
  }
  if (form.imageUrl !== stored.imageUrl) changes.imageUrl = form.imageUrl;
  return changes;
}

/** Whether they make another identity of the listing (R60): name, picture, handle or website. */
export const changesIdentity = (changes: ProjectChanges): boolean =>
  (['name', 'imageUrl', 'twitterHandle', 'website'] as const).some((field) => changes[field] !== undefined);

/** Validation errors of changed fields, by field; unchanged fields are not validated again (S5.4). */
export function changeErrors(form: ProjectForm, project: Project): FieldErrors {
  const changes = changesOf(form, project);
  const errors: FieldErrors = {};
  for (const field of PROJECT_TEXT_FIELDS) {
    const error = field in changes ? validateProjectField(field, cleanProjectText(field, form[field])) : null;
    if (error) errors[field] = error;
  }
  return errors;
}
