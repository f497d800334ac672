export function setting(name: string): string {
  const value = process.env[name];
  if (!value) throw new Error(`${name} is not set: run the journeys through the Playwright configuration`);
  return value;
}
