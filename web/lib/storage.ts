/**
 * Local storage that never throws: private windows and full disks are logged and otherwise ignored (S8.22).
 * Values are display caches and conveniences only, so losing one is never an error for the visitor.
 */
export function readStored(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch (error) {
    console.warn(`Local storage: ${key} could not be read`, error);
    return null;
  }
}

export function writeStored(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch (error) {
    console.warn(`Local storage: ${key} could not be written`, error);
  }
}
