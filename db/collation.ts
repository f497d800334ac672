/** SQL that says how the order of texts has changed since the indexes were built, as after an upgrade; null if it has not. */
export const CHANGED_COLLATION = `(SELECT format('the order of texts of %s changed from version %s to %s, and indexes of texts may miss rows',
    datname, datcollversion, pg_database_collation_actual_version(oid))
  FROM pg_database WHERE datname = current_database() AND datcollversion <> pg_database_collation_actual_version(oid))`;

export const COLLATION_REMEDY = 'stop the servers, then REINDEX DATABASE …; ALTER DATABASE … REFRESH COLLATION VERSION';
