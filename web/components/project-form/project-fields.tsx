import {
  PROJECT_FIELDS,
  type ProjectFieldSpec,
  type ProjectTextField,
  projectTextFields,
} from '#shared/listings/project-fields.ts';
import type { FieldErrors, ProjectForm } from '../../payments/project-draft.ts';
import { Field, Input, Select } from '../../ui/field.tsx';
import { isKeyField, ListedNote, type OwnListing, useListedAlready } from './listed-already.tsx';
import { MakeCoin } from './make-coin.tsx';
import { ProjectImageField } from './project-image-field.tsx';
import { CountedTextarea } from '../project/counted-textarea.tsx';

interface ProjectFieldsProps {
  form: ProjectForm;
  errors: FieldErrors;
  categories: readonly string[];
  disabled: boolean;
  /** The listing that is changed; without it a new one. */
  own?: OwnListing;
  onChange: (part: Partial<ProjectForm>) => void;
  onImageError: (message: string) => void;
}

function TextField({
  field,
  form,
  errors,
  categories,
  disabled,
  onChange,
}: Omit<ProjectFieldsProps, 'own' | 'onImageError'> & { field: ProjectTextField }) {
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

const LINKS = projectTextFields.filter((field) => !['name', 'category', 'description'].includes(field));

/** All fields of a listing: those that its card shows beside its picture, then where it is found. */
export function ProjectFields({ own, onImageError, ...props }: ProjectFieldsProps) {
  const listed = useListedAlready(props.form, own);
  const { form, errors, disabled, onChange } = props;
  return (
    <div className="grid gap-5">
      <div className="flex flex-wrap gap-5">
        <div className="grid flex-[1_1_16rem] content-start gap-5">
          <div className="grid grid-cols-[repeat(auto-fit,minmax(min(100%,13rem),1fr))] items-start gap-5">
            <div className="grid gap-2">
              <TextField {...props} field="name" />
              <ListedNote field="name" listed={listed} />
            </div>
            <TextField {...props} field="category" />
          </div>
          <TextField {...props} field="description" />
        </div>
        <ProjectImageField
          value={form.imageUrl}
          error={errors.imageUrl ?? null}
          disabled={disabled}
          onChange={(imageUrl) => onChange({ imageUrl })}
          onError={onImageError}
        />
      </div>
      <div className="grid items-start gap-5 sm:grid-cols-2">
        {LINKS.map((field) => (
          <div key={field} className="grid gap-2">
            <TextField {...props} field={field} />
            {isKeyField(field) ? <ListedNote field={field} listed={listed} /> : null}
            {field === 'coinType' ? (
              <MakeCoin disabled={disabled} onMade={(coinType) => onChange({ coinType })} />
            ) : null}
          </div>
        ))}
      </div>
    </div>
  );
}
