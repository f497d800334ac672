import { PRODUCT } from '#shared/constants.ts';
import { EMPTY_FORM, type ProjectForm } from '../../payments/project-draft.ts';

const KEY = `${PRODUCT}_project_draft`;
/** Session storage holds about 5 MB; a larger picture is asked for again after a reload. */
const IMAGE_MAX_CHARS = 3_500_000;

/** The text that was typed before a reload in this tab; empty fields where there is nothing, or where another user typed it. */
export function readDraft(userId: number | undefined): ProjectForm {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(KEY) ?? '{}');
    if (typeof kept !== 'object' || kept === null) return EMPTY_FORM;
    const ownerId = 'ownerId' in kept ? kept.ownerId : undefined;
    if (ownerId !== undefined && userId !== undefined && ownerId !== userId) return EMPTY_FORM;
    const texts = Object.entries(kept).filter(([field, value]) => field in EMPTY_FORM && typeof value === 'string');
    return { ...EMPTY_FORM, ...(Object.fromEntries(texts) as Partial<ProjectForm>) };
  } catch {
    return EMPTY_FORM;
  }
}

export function keepDraft(form: ProjectForm | null, ownerId?: number): void {
  try {
    if (form === null) return sessionStorage.removeItem(KEY);
    const imageUrl = form.imageUrl.length <= IMAGE_MAX_CHARS ? form.imageUrl : '';
    sessionStorage.setItem(KEY, JSON.stringify({ ...form, imageUrl, ownerId }));
  } catch (error) {
    console.warn('The draft could not be saved', error);
  }
}
