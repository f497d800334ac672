import type { ProjectChanges } from '#shared/contract/projects.ts';
import type { Project } from '#shared/contract/types.ts';
import {
  isIdentityField,
  projectFields,
  projectTextFields,
  projectTexts,
  readProjectText,
} from '#shared/listings/project-fields.ts';
import { xProfile } from '../../lib/paths.ts';
import { type FieldErrors, type ProjectForm, textErrors } from '../../payments/project-draft.ts';

export function toForm(project: Project): ProjectForm {
  const form = Object.fromEntries(projectFields.map((field) => [field, project[field] ?? ''])) as ProjectForm;
  return { ...form, twitterHandle: xProfile(project.twitterHandle) };
}

const changedTexts = (form: ProjectForm, project: Project) =>
  projectTextFields.filter((field) => {
    const { text, stored } = readProjectText(field, form[field]);
    return text !== toForm(project)[field] && stored !== project[field];
  });

export function changesOf(form: ProjectForm, project: Project): ProjectChanges {
  const texts: ProjectChanges = projectTexts(
    changedTexts(form, project),
    (field) => readProjectText(field, form[field]).text,
  );
  return form.imageUrl === project.imageUrl ? texts : { ...texts, imageUrl: form.imageUrl };
}

/** Whether they make another identity of the listing (R60): name, picture, handle or website. */
export const changesIdentity = (changes: ProjectChanges): boolean =>
  projectFields.some((field) => isIdentityField(field) && changes[field] !== undefined);

export const changeErrors = (form: ProjectForm, project: Project): FieldErrors =>
  textErrors(form, changedTexts(form, project));
