import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import type { User } from '#shared/contract/types.ts';
import type { ProfileChanges } from '#shared/contract/users.ts';
import { ApiError, errorText } from '../../lib/api-error.ts';
import { api } from '../../lib/api.ts';
import { queries, queryClient } from '../../lib/queries.ts';
import { session } from '../../lib/session.ts';
import { toast } from '../../lib/toast.ts';
import { draftChanges, draftErrors, type FieldErrors, type ProfileDraft, toDraft } from './profile-draft.ts';

const SHOW_PEOPLE = [['listReviews'], ['getLeaderboard']];

function keep(user: User): void {
  session.updateUser(user);
  queryClient.setWritten(queries.user(user.id).queryKey, user);
  for (const queryKey of SHOW_PEOPLE) void queryClient.invalidateQueries({ queryKey });
}

const isFormField = (field: string | null): field is keyof ProfileDraft =>
  field === 'username' || field === 'twitterLink' || field === 'telegramLink' || field === 'avatarUrl';

export function useProfileForm(user: User, focusFirstError: (errors: FieldErrors) => void) {
  const [draft, setDraft] = useState(() => toDraft(user));
  const [errors, setErrors] = useState<FieldErrors>({});

  function showErrors(found: FieldErrors): void {
    setErrors(found);
    focusFirstError(found);
  }

  const { mutate, isPending } = useMutation({
    mutationFn: (changes: ProfileChanges) => api.updateUser({ params: { id: String(user.id) }, body: changes }),
    onSuccess: (saved) => {
      keep(saved);
      setDraft(toDraft(saved));
      toast({ title: 'Profile updated!', variant: 'success' });
    },
    onError: (error) => {
      const message = errorText(error, 'Failed to update profile');
      if (error instanceof ApiError && isFormField(error.field)) showErrors({ [error.field]: message });
      toast({ title: 'Update failed', description: message, variant: 'destructive' });
    },
  });

  return {
    draft,
    errors,
    isSaving: isPending,
    change(part: Partial<ProfileDraft>): void {
      setDraft((present) => ({ ...present, ...part }));
      setErrors((present) => {
        const left = { ...present };
        for (const field of Object.keys(part)) if (isFormField(field)) delete left[field];
        return left;
      });
    },
    rejectImage: (message: string) => setErrors((present) => ({ ...present, avatarUrl: message })),
    save(): void {
      if (isPending) return;
      const found = draftErrors(draft, user);
      showErrors(found);
      if (Object.keys(found).length === 0) mutate(draftChanges(draft, user));
    },
  };
}
