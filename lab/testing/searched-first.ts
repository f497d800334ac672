/** The URL for connections in which this schema, made by a test, comes before those of PostgreSQL and of the product. */
export function searchedFirst(databaseUrl: string, schema: string): string {
  const url = new URL(databaseUrl);
  url.searchParams.set('options', `-c search_path=${schema},public,pg_catalog`);
  return url.href;
}
