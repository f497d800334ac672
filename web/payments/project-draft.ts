import {
  PROJECT_FIELDS,
  type ProjectField,
  projectFields,
  type ProjectTextField,
  projectTextFields,
  projectTexts,
  readProjectText,
} from '#shared/project-fields.ts';

/** The typed values of a project's form; the picture is a data URL, a stored picture's address, or ''. */
export type ProjectForm = Record<ProjectField, string>;
export type FieldErrors = Partial<ProjectForm>;

export const EMPTY_FORM = Object.fromEntries(projectFields.map((field) => [field, ''])) as ProjectForm;

export const isFormField = (field: string): field is ProjectField => field in EMPTY_FORM;

/** Validation errors of these texts, by field; the server applies the same rules (S5.3). */
export function textErrors(form: ProjectForm, fields: readonly ProjectTextField[]): FieldErrors {
  const errors = fields.map((field) => [field, readProjectText(field, form[field]).error] as const);
  return Object.fromEntries(errors.filter(([, error]) => error !== null));
}

/** Validation errors of a new project. */
export function formErrors(form: ProjectForm): FieldErrors {
  const errors = textErrors(form, projectTextFields);
  return form.imageUrl === '' ? { ...errors, imageUrl: PROJECT_FIELDS.imageUrl.missing } : errors;
}

/** The fields as they are sent. */
export const cleanForm = (form: ProjectForm) => ({
  ...projectTexts(projectTextFields, (field) => readProjectText(field, form[field]).text),
  imageUrl: form.imageUrl,
});
