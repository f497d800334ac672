import {
  cleanProjectText,
  validateProjectField,
  PROJECT_TEXT_FIELDS,
  type ProjectTextField,
} from '#shared/project-rules.ts';

/** The typed values of a project's form; the picture is a data URL, a stored picture's address, or ''. */
export type ProjectForm = Record<ProjectTextField | 'imageUrl', string>;
export type ProjectFormField = keyof ProjectForm;
export type FieldErrors = Partial<Record<ProjectFormField, string>>;

export const EMPTY_FORM: ProjectForm = {
  name: '',
  category: '',
  description: '',
  twitterHandle: '',
  website: '',
  imageUrl: '',
};

export const isFormField = (field: string): field is ProjectFormField => field in EMPTY_FORM;

export const NO_IMAGE = 'Please upload a project image';

/** Validation errors by field; the server applies the same rules (S5.3). */
export function formErrors(form: ProjectForm): FieldErrors {
  const errors: FieldErrors = {};
  for (const field of PROJECT_TEXT_FIELDS) {
    const error = validateProjectField(field, cleanProjectText(field, form[field]));
    if (error) errors[field] = error;
  }
  if (form.imageUrl === '') errors.imageUrl = NO_IMAGE;
  return errors;
}

/** The text fields as they are sent; a website of '' means no website. */
export function cleanForm(form: ProjectForm) {
  const { imageUrl } = form;
  const text = (field: ProjectTextField) => cleanProjectText(field, form[field]);
  return {
    name: text('name'),
    category: text('category'),
    description: text('description'),
    twitterHandle: text('twitterHandle'),
    website: text('website') || null,
    imageUrl,
  };
}
