/** Null for text that is not JSON. */
export function parseJson(text: string | null | undefined): unknown {
  try {
    return JSON.parse(text ?? '');
  } catch {
    return null;
  }
}

export const readPageJson = (id: string): unknown =>
  typeof document === 'undefined' ? null : parseJson(document.getElementById(id)?.textContent);
