export function bookHashes(): Promise<Record<string, string>>;
export function runBook(installed: string, change?: (source: string) => string): Promise<string[]>;
