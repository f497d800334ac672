import { DESCRIPTION_MAX_CHARS } from '#shared/constants.ts';
import type { FieldErrors, ProjectForm } from '../../payments/project-draft.ts';
import { Field, Input, Select } from '../../ui/field.tsx';
import { CountedTextarea } from './counted-textarea.tsx';

interface ProjectFieldsProps {
  form: ProjectForm;
  errors: FieldErrors;
  categories: readonly string[];
  disabled: boolean;
  onChange: (part: Partial<ProjectForm>) => void;
}

/** The text fields of a project, for submitting and updating (S2.24, S2.32). */
export function ProjectFields({ form, errors, categories, disabled, onChange }: ProjectFieldsProps) {
  return (
    <>
      <div className="grid items-start gap-5 sm:grid-cols-[3fr_2fr]">
        <Field label="Project Name" error={errors.name ?? null}>
          {(control) => (
            <Input
              {...control}
              data-field="name"
              required
              autoComplete="off"
              disabled={disabled}
              value={form.name}
              onChange={(event) => onChange({ name: event.target.value })}
            />
          )}
        </Field>
        <Field label="Category" error={errors.category ?? null}>
          {(control) => (
            <Select
              {...control}
              data-field="category"
              required
              disabled={disabled}
              value={form.category}
              onChange={(event) => onChange({ category: event.target.value })}
            >
              <option value="" disabled>
                Select category
              </option>
              {categories.map((category) => (
                <option key={category}>{category}</option>
              ))}
            </Select>
          )}
        </Field>
      </div>
      <CountedTextarea
        label="Description"
        data-field="description"
        required
        disabled={disabled}
        maxChars={DESCRIPTION_MAX_CHARS}
        value={form.description}
        error={errors.description ?? null}
        onChange={(description) => onChange({ description })}
      />
      <Field label="X Account Link" error={errors.twitterHandle ?? null}>
        {(control) => (
          <Input
            {...control}
            data-field="twitterHandle"
            type="url"
            required
            autoComplete="off"
            placeholder="https://x.com/yourproject"
            disabled={disabled}
            value={form.twitterHandle}
            onChange={(event) => onChange({ twitterHandle: event.target.value })}
          />
        )}
      </Field>
      <Field label="Launchpad or Tradeport Link (optional)" error={errors.website ?? null}>
        {(control) => (
          <Input
            {...control}
            data-field="website"
            type="url"
            autoComplete="off"
            placeholder="https://"
            disabled={disabled}
            value={form.website}
            onChange={(event) => onChange({ website: event.target.value })}
          />
        )}
      </Field>
    </>
  );
}
