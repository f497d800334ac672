#!/bin/sh
# Adds the site to Caddy: as its Caddyfile where there is none yet, or only the one that the package came with; otherwise as a file beside
# it, which that Caddyfile has to import. Never changes the configuration of other sites. Ends with 1 when the operator has to do that.
#
#   ops/deploy/set-up-caddy.sh <host> [<folder of the Caddyfile>]
set -eu
host=$1 folder=${2:-/etc/caddy}
root=$(cd "$(dirname "$0")/../.." && pwd)
caddyfile=$folder/Caddyfile site=$folder/$host.caddyfile

configuration() { sed "s|snapswipe\.example|$host|g; s|/opt/snapswipe|$root|g" "$root/ops/deploy/Caddyfile"; }
is_as_packaged() {
	dpkg-query --show --showformat='${Conffiles}' caddy 2>/dev/null |
		grep -qF "$caddyfile $(md5sum <"$caddyfile" | cut -d' ' -f1)"
}

if [ ! -e "$caddyfile" ] || is_as_packaged; then
	configuration >"$caddyfile"
elif ! grep -qF "$host {" "$caddyfile" && ! grep -qF "import $site" "$caddyfile"; then
	# A Caddyfile has global options once, at its beginning.
	[ -e "$site" ] || configuration | sed '/^{$/,/^}$/d' >"$site"
	printf '! %s serves other sites, and stays as it is. Add this line to it, then: systemctl reload caddy\n  import %s\n' "$caddyfile" "$site"
	exit 1
fi
