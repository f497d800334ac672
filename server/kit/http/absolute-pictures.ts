const FIELDS = new Set(['imageUrl', 'avatarUrl']);

const isPicture = (name: string, value: unknown): value is string =>
  typeof value === 'string' && value.startsWith('/') && FIELDS.has(name);

/** Pictures of the open API with their whole address: apps that read it have no base for another. */
export function absolutePictures(value: unknown, origin: string): unknown {
  if (Array.isArray(value)) return value.map((each: unknown) => absolutePictures(each, origin));
  // Dates have their own form in JSON.
  if (typeof value !== 'object' || value === null || 'toJSON' in value) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [
      name,
      isPicture(name, each) ? origin + each : absolutePictures(each, origin),
    ]),
  );
}
