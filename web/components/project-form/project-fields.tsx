import {
  PROJECT_FIELDS,
  type ProjectFieldSpec,
  type ProjectTextField,
  projectTextFields,
} from '#shared/listings/project-fields.ts';
import { Fragment } from 'react';
import type { FieldErrors, ProjectForm } from '../../payments/project-draft.ts';
import { Field, Input, Select } from '../../ui/field.tsx';
import { isKeyField, ListedNote, type OwnListing, useListedAlready } from './listed-already.tsx';
import { MakeCoin } from './make-coin.tsx';
import { CountedTextarea } from '../project/counted-textarea.tsx';

interface ProjectFieldsProps {
  form: ProjectForm;
  errors: FieldErrors;
  categories: readonly string[];
  disabled: boolean;
  /** The listing that is changed; without it a new one. */
  own?: OwnListing;
  onChange: (part: Partial<ProjectForm>) => void;
}

function TextField({
  field,
  form,
  errors,
  categories,
  disabled,
  onChange,
}: ProjectFieldsProps & { field: ProjectTextField }) {
  const { label, control, placeholder, missing, maxChars }: ProjectFieldSpec = PROJECT_FIELDS[field];
  const props = { 'data-field': field, required: missing !== undefined, disabled, value: form[field] };
  const error = errors[field] ?? null;
  const change = (text: string) => onChange({ [field]: text });
  if (control === 'text' && maxChars !== undefined)
    return <CountedTextarea {...props} label={label} maxChars={maxChars} error={error} onChange={change} />;
  return (
    <Field label={label} error={error}>
      {(aria) =>
        control === 'category' ? (
          <Select {...aria} {...props} onChange={(event) => change(event.target.value)}>
            <option value="" disabled>
              Select category
            </option>
            {categories.map((category) => (
              <option key={category}>{category}</option>
            ))}
          </Select>
        ) : (
          <Input
            {...aria}
            {...props}
            type={control === 'link' ? 'url' : undefined}
            autoComplete="off"
            placeholder={placeholder}
            onChange={(event) => change(event.target.value)}
          />
        )
      }
    </Field>
  );
}

const BELOW = projectTextFields.filter((field) => field !== 'name' && field !== 'category');

export function ProjectFields({ own, ...props }: ProjectFieldsProps) {
  const listed = useListedAlready(props.form, own);
  return (
    <>
      <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,11.5rem),1fr))] items-start gap-5">
        <div className="grid gap-2">
          <TextField {...props} field="name" />
          <ListedNote field="name" listed={listed} />
        </div>
        <TextField {...props} field="category" />
      </div>
      {BELOW.map((field) => (
        <Fragment key={field}>
          <div className="grid gap-2">
            <TextField {...props} field={field} />
            {isKeyField(field) ? <ListedNote field={field} listed={listed} /> : null}
          </div>
          {field === 'coinType' ? (
            <MakeCoin disabled={props.disabled} onMade={(coinType) => props.onChange({ coinType })} />
          ) : null}
        </Fragment>
      ))}
    </>
  );
}
