import { Search } from 'lucide-react';
import { useState } from 'react';
import { Button } from '../../../ui/button.tsx';
import { Field, Input } from '../../../ui/field.tsx';

interface SearchFormProps {
  label: string;
  hint?: string;
  onSearch: (words: string) => void;
}

export function SearchForm({ label, hint, onSearch }: SearchFormProps) {
  const [words, setWords] = useState('');
  return (
    <search>
      <form
        className="flex flex-wrap items-start gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          onSearch(words.trim());
        }}
      >
        <Field label={label} hint={hint} className="min-w-0 flex-1 basis-64">
          {(control) => (
            <Input
              {...control}
              type="search"
              maxLength={200}
              value={words}
              onChange={(event) => {
                setWords(event.target.value);
                if (event.target.value === '') onSearch('');
              }}
            />
          )}
        </Field>
        <Button type="submit" variant="secondary" className="sm:mt-7.5">
          <Search aria-hidden size={18} />
          Search
        </Button>
      </form>
    </search>
  );
}
