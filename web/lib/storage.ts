/** Local storage that never throws (S8.22): private windows and full disks are logged. Store only what may be lost. */
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
