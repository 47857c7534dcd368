# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# What the tests of the installer stand on: releases, a server, folders of programs, a user's home, and assertions.
# Read by dist/test/installer, which sets `here` and `source_installer`.

busybox=$(command -v busybox)
work=$(mktemp -d)
chmod 755 "$work"
server=''
finish() {
    [ -z "$server" ] || kill "$server" 2>/dev/null || :
    for mounted in "$work"/mounts/*; do umount "$mounted" 2>/dev/null || :; done
    rm -rf "$work"
}
trap finish EXIT

"$here/fixture" "$work/releases"
chmod -R a+rX "$work/releases"
releases=$work/releases
key=$(sed -n 2p "$releases/release.pub")
other_key=$(sed -n 2p "$releases/other.pub")

# The installer under test as releases ship it: filled in.
filled() { # VERSION
    python3 - "$source_installer" "$releases/mirror/download/v$1/install.sh" "$work/install-$1.sh" <<'END'
import re, sys
template, shipped, output = (open(sys.argv[1]).read(), open(sys.argv[2]).read(), sys.argv[3])
for name in ("release_version", "release_keys", "release_sums"):
    value = re.search(rf"^{name}='([^']*)'$", shipped, re.M)[0]
    template = template.replace(f"{name}=''", value)
open(output, "w").write(template)
END
    chmod 755 "$work/install-$1.sh"
}
filled 0.1.0
filled 0.2.0
cp "$source_installer" "$work/install-bare.sh"
chmod 755 "$work/install-bare.sh"

python3 "$here/server.py" "$releases" "$work/port" &
server=$!
for _ in $(seq 100); do [ -s "$work/port" ] && break; sleep 0.05; done
url=http://127.0.0.1:$(cat "$work/port")

# --- folders of programs: what PATH may hold --------------------------------------------------------------------------

common='uname mkdir mktemp cp mv rm rmdir chmod cat sed awk tr dd od tail head tar gzip id grep sort cut env sh ls'
link() { # FOLDER PROGRAM...
    local folder=$work/bin/$1
    shift
    mkdir -p "$folder"
    for program in "$@"; do ln -sf "$(command -v "$program")" "$folder/$program"; done
}
# shellcheck disable=SC2086
link common $common
link sums sha256sum
link curl curl
link wget wget
link minisign minisign
link openssl openssl
mkdir -p "$work/bin/busybox"
for applet in $("$busybox" --list); do
    case $applet in busybox | openssl | minisign) ;; *) ln -s "$busybox" "$work/bin/busybox/$applet" ;; esac
done
paths() { # NAME...
    local path=''
    for name in "$@"; do path=$path:$work/bin/$name; done
    printf '%s' "${path#:}"
}
everything=$(paths common sums curl openssl minisign)

# A `uname` that says something else.
fake_uname() { # SYSTEM MACHINE
    mkdir -p "$work/bin/fake"
    printf '#!/bin/sh\ncase $1 in -s) echo %s ;; -m) echo %s ;; esac\n' "$1" "$2" >"$work/bin/fake/uname"
    chmod 755 "$work/bin/fake/uname"
}

# --- running and asserting --------------------------------------------------------------------------------------------

passed=0
failed=0
skipped=0
name='' shell=(dash) home='' out=$work/out status=0 good=1

# Whether the shell looks for programs in PATH. The busybox of Debian finds its own first, whatever PATH says: what is
# tested by taking programs away or putting others there is skipped under it, and counted.
obeys_path() {
    [ "${shell[0]}" != "$busybox" ] || { skipped=$((skipped + 1)); return 1; }
}

begin() {
    name="$1 (${shell[*]##*/})"
    good=1
    rm -rf "$work/user"
    mkdir -p "$work/user/home" "$work/user/tmp"
    home=$work/user/home
    chown -R 65534:65534 "$work/user"
    path=$everything
    extra=()
}
end() {
    if [ "$good" = 1 ]; then
        passed=$((passed + 1))
    else
        failed=$((failed + 1))
    fi
}
wrong() {
    if [ "$good" = 1 ]; then
        printf 'FAILED %s\n' "$name"
        sed 's/^/    | /' "$out"
    fi
    printf '  %s\n' "$*"
    good=0
}

# Runs a command as the user, in the environment of someone who has just logged in.
as_user() {
    setpriv --reuid 65534 --regid 65534 --clear-groups env -i HOME="$home" PATH="$path" SHELL="${login_shell:-/bin/bash}" \
        TMPDIR="$work/user/tmp" "${extra[@]}" "$@"
}
installer() { # VERSION OPTION...
    local script=$work/install-$1.sh
    shift
    status=0
    (cd "$home" && as_user "${shell[@]}" "$script" "$@") >"$out" 2>&1 || status=$?
    [ -z "$(ls -A "$work/user/tmp")" ] || wrong "left in TMPDIR: $(ls -A "$work/user/tmp")"
    [ -z "$(find "$work/user" -name '*.new.*')" ] || wrong "left: $(find "$work/user" -name '*.new.*')"
}
succeeds() { [ "$status" = 0 ] || wrong "status $status instead of 0"; }
fails() { # STATUS TEXT...
    [ "$status" = "$1" ] || wrong "status $status instead of $1"
    shift
    for text in "$@"; do grep -qF -- "$text" "$out" || wrong "does not say: $text"; done
}
says() { for text in "$@"; do grep -qF -- "$text" "$out" || wrong "does not say: $text"; done; }
runs() { # VERSION [FILE]
    local binary=${2:-$home/.local/bin/kapstan} said
    said=$(as_user "$binary" --version 2>&1) || :
    [ "$said" = "kapstan $1" ] || wrong "$binary says \`$said\` instead of \`kapstan $1\`"
}
snapshot() { (cd "$home" && find . -printf '%P %y %m %l\n' | sort && find . -type f -print0 | sort -z | xargs -0 -r sha256sum); }
receipt() { # PYTHON EXPRESSION
    python3 -c "import json, sys; r = json.load(open(sys.argv[1])); sys.exit(0 if ($2) else str(r))" "$home/.config/kapstan/receipt.json" ||
        wrong "receipt: not $2"
}
old_installed() {
    installer 0.1.0 --version 0.1.0 --mirror "$releases/mirror" --quiet
    succeeds
    runs 0.1.0
    before=$(snapshot)
}
old_untouched() {
    runs 0.1.0
    [ "$(snapshot)" = "$before" ] || wrong "changed: $(diff <(echo "$before") <(snapshot))"
}
