-- The database roles of Snapswipe, for psql: ops/deploy/install.sh creates or updates them and their rights as the
-- database's superuser. Variables: console_password, and password where that of the server's role is to be set.
SELECT 'CREATE ROLE snapswipe' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'snapswipe') \gexec
SELECT 'CREATE ROLE snapswipe_console' WHERE NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'snapswipe_console') \gexec

-- The server's role owns its database and nothing else. A role that may create roles could, before PostgreSQL 16, grant
-- itself the rights to run programs and read files as the user of the database.
ALTER ROLE snapswipe LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION;
SET client_min_messages = error;
REVOKE pg_execute_server_program, pg_read_server_files, pg_write_server_files FROM snapswipe;
RESET client_min_messages;
\if :{?password}
ALTER ROLE snapswipe PASSWORD :'password';
\endif

-- The SQL console's role, which the server cannot create.
ALTER ROLE snapswipe_console LOGIN NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION CONNECTION LIMIT 20 PASSWORD :'console_password';
ALTER ROLE snapswipe_console SET temp_file_limit = '256MB';
-- Lets the server end a statement that does not end in time.
GRANT snapswipe_console TO snapswipe;
