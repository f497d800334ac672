import {
  PROJECT_FIELDS,
  type ProjectField,
  projectFields,
  type ProjectTextField,
  projectTextFields,
  projectTexts,
  readProjectText,
} from '#shared/listings/project-fields.ts';

export type ProjectForm = Record<ProjectField, string>;
export type FieldErrors = Partial<ProjectForm>;

export const EMPTY_FORM = Object.fromEntries(projectFields.map((field) => [field, ''])) as ProjectForm;

export const isFormField = (field: string): field is ProjectField => field in EMPTY_FORM;

export function textErrors(form: ProjectForm, fields: readonly ProjectTextField[]): FieldErrors {
  const errors = fields.map((field) => [field, readProjectText(field, form[field]).error] as const);
  return Object.fromEntries(errors.filter(([, error]) => error !== null));
}

export function formErrors(form: ProjectForm): FieldErrors {
  const errors = textErrors(form, projectTextFields);
  return form.imageUrl === '' ? { ...errors, imageUrl: PROJECT_FIELDS.imageUrl.missing } : errors;
}

export const cleanForm = (form: ProjectForm) => ({
  ...projectTexts(projectTextFields, (field) => readProjectText(field, form[field]).text),
  imageUrl: form.imageUrl,
});
