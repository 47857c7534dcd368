#!/bin/sh
# Installs kapstan, or removes it.
#
#   curl -fsSL https://github.com/kapstan/kapstan/releases/latest/download/install.sh | sh
#   sh install.sh --help
#
# POSIX sh; needs curl or wget, tar with gzip, and one of sha256sum, shasum and openssl. Nothing is installed whose
# origin is not proved: by the signature of SHA256SUMS where minisign or openssl 3 is there, else by the checksums that
# this file carries. Everything is in functions and `main` is the last line, so that half a download does nothing.
set -eu

# Filled in by dist/release: the version that this installer belongs to, the public keys that sign releases (one a
# line), and the checksum of every archive of that version.
release_version=''
release_keys=''
release_sums=''

default_mirror='https://github.com/kapstan/kapstan/releases'
profile_mark='# added by the kapstan installer'

usage() {
    cat <<'END'
usage: install.sh [OPTION...]

Installs kapstan into ~/.local/bin, or into /usr/local/bin for root, with completions and manual pages.

  --version V          that version instead of the newest
  --channel NAME       `stable` (default) or `preview`
  --dir FOLDER         where the binary goes
  --target TRIPLE      a platform other than this machine's, for instance i686-unknown-linux-musl
  --mirror URL|FOLDER  where releases lie (latest/download/FILE, download/vVERSION/FILE)
  --offline FOLDER     take everything from the folder of one release or of an unpacked air-gap archive
  --public-key KEY     the minisign key that must have signed the release, instead of kapstan's; or a file with it
  --modify-path        add the folder to PATH in your shell's start-up file
  --dry-run            check the release and say what would be done
  --quiet              say nothing but errors
  --uninstall          remove what was installed, by its receipt
  --help               this text

The same from the environment: KAPSTAN_VERSION, KAPSTAN_CHANNEL, KAPSTAN_INSTALL_DIR, KAPSTAN_TARGET,
KAPSTAN_RELEASES (the mirror), KAPSTAN_OFFLINE, KAPSTAN_PUBLIC_KEY, and KAPSTAN_MODIFY_PATH, KAPSTAN_DRY_RUN,
KAPSTAN_QUIET set to 1. Proxies are those of curl or wget (https_proxy, no_proxy).
END
}

say() { [ -n "$quiet" ] || printf '%s\n' "$*"; }
warn() { printf 'kapstan installer: %s\n' "$*" >&2; }
fail() {
    printf 'kapstan installer: error: %s\n' "$1" >&2
    shift
    for hint in "$@"; do printf '  %s\n' "$hint" >&2; done
    exit 1
}
have() { command -v "$1" >/dev/null 2>&1; }

# --- what is asked for ------------------------------------------------------------------------------------------------

# A switch in the environment is on unless it is empty or 0.
switch() { case $1 in '' | 0) ;; *) echo 1 ;; esac; }

read_arguments() {
    version=${KAPSTAN_VERSION:-}
    channel=${KAPSTAN_CHANNEL:-stable}
    folder=${KAPSTAN_INSTALL_DIR:-}
    target=${KAPSTAN_TARGET:-}
    mirror=${KAPSTAN_RELEASES:-$default_mirror}
    offline=${KAPSTAN_OFFLINE:-}
    own_key=${KAPSTAN_PUBLIC_KEY:-}
    modify_path=$(switch "${KAPSTAN_MODIFY_PATH:-}")
    dry_run=$(switch "${KAPSTAN_DRY_RUN:-}")
    quiet=$(switch "${KAPSTAN_QUIET:-}")
    uninstall=''
    while [ $# -gt 0 ]; do
        case $1 in
            --*=*)
                argument=$1
                shift
                set -- "${argument%%=*}" "${argument#*=}" "$@"
                continue
                ;;
            --version | --channel | --dir | --target | --mirror | --offline | --public-key)
                [ $# -ge 2 ] && [ -n "$2" ] || usage_error "$1 needs a value"
                ;;
        esac
        case $1 in
            --version) version=$2; shift ;;
            --channel) channel=$2; shift ;;
            --dir) folder=$2; shift ;;
            --target) target=$2; shift ;;
            --mirror) mirror=$2; shift ;;
            --offline) offline=$2; shift ;;
            --public-key) own_key=$2; shift ;;
            --modify-path) modify_path=1 ;;
            --dry-run) dry_run=1 ;;
            --quiet | -q) quiet=1 ;;
            --uninstall) uninstall=1 ;;
            --help | -h) usage; exit 0 ;;
            *) usage_error "unknown option \`$1\`" ;;
        esac
        shift
    done
    version=${version#v}
    case $version in *[!0-9A-Za-z.+-]*) usage_error "\`$version\` is no version" ;; esac
    case $channel in stable | preview) ;; *) usage_error "there is no channel \`$channel\`: stable, preview" ;; esac
    mirror=${mirror%/}
    mirror=${mirror#file://}
    case $mirror in
        https://* | http://127.0.0.1[:/]* | http://localhost[:/]* | http://\[::1\]*) ;;
        *://*) fail "the mirror $mirror is not safe: use https" ;;
        # A folder that is a release itself.
        *) if [ -f "$mirror/manifest.json" ]; then offline=${offline:-$mirror}; fi ;;
    esac
    # A key may be a file, as minisign writes it.
    if [ -f "$own_key" ]; then own_key=$(grep -v '^untrusted comment:' "$own_key" | tr -d '\r' | head -n 1); fi
    [ -z "$offline" ] || [ -d "$offline" ] || fail "there is no folder \`$offline\` to install from"
}

usage_error() {
    printf 'kapstan installer: error: %s\n  install.sh --help names the options\n' "$1" >&2
    exit 2
}

# --- the machine ------------------------------------------------------------------------------------------------------

# The triple of the release that fits this machine.
detect_target() {
    system=$(uname -s)
    machine=$(uname -m)
    case $system in
        Linux)
            case $machine in
                x86_64 | amd64) if is_32_bit; then echo i686-unknown-linux-musl; else echo x86_64-unknown-linux-musl; fi ;;
                i?86 | x86) echo i686-unknown-linux-musl ;;
                aarch64 | arm64) echo aarch64-unknown-linux-musl ;;
                *) no_platform ;;
            esac
            ;;
        Darwin)
            case $machine in
                arm64 | aarch64) echo aarch64-apple-darwin ;;
                # A shell under Rosetta is told x86_64; the machine is not.
                x86_64) if [ "$(sysctl -n sysctl.proc_translated 2>/dev/null)" = 1 ]; then echo aarch64-apple-darwin; else echo x86_64-apple-darwin; fi ;;
                *) no_platform ;;
            esac
            ;;
        MINGW* | MSYS* | CYGWIN* | Windows_NT)
            fail 'on Windows install from PowerShell:' "irm $default_mirror/latest/download/install.ps1 | iex"
            ;;
        *) no_platform ;;
    esac
}

no_platform() {
    fail "kapstan is not built for $system on $machine" \
        'it is for Linux (x86_64, i686, aarch64), macOS (x86_64, aarch64) and Windows (x86_64, i686)' \
        'if one of these binaries runs here all the same, name it: --target TRIPLE'
}

# Whether programs here are 32-bit under a 64-bit kernel: the fifth byte of an ELF file is its class.
is_32_bit() {
    [ "$(dd if=/bin/sh bs=1 skip=4 count=1 2>/dev/null | od -An -tu1 | tr -d ' ')" = 1 ]
}

choose_places() {
    is_root=''
    [ "$(id -u)" != 0 ] || is_root=1
    home=${HOME:-}
    [ -n "$home" ] || [ -z "$is_root" ] || home=/root
    [ -n "$home" ] || fail 'HOME is not set'
    if [ -z "$folder" ]; then
        if [ -n "$is_root" ]; then folder=/usr/local/bin; else folder=${XDG_BIN_HOME:-$home/.local/bin}; fi
    fi
    case $folder in /*) ;; *) folder=$PWD/$folder ;; esac
    case $folder$home in *[[:cntrl:]]*) fail 'control characters in the name of a folder' ;; esac
    if [ -n "$is_root" ]; then data=/usr/local/share; else data=${XDG_DATA_HOME:-$home/.local/share}; fi
    binary=$folder/kapstan
    receipt_folder=${XDG_CONFIG_HOME:-$home/.config}/kapstan
    receipt=$receipt_folder/receipt.json
}

make_work_folder() {
    work=''
    staged=''
    trap clean_up EXIT
    trap 'exit 130' INT
    trap 'exit 143' TERM HUP
    work=$(mktemp -d 2>/dev/null) || fail "cannot make a temporary folder in ${TMPDIR:-/tmp}" 'name another one: TMPDIR=FOLDER'
}

clean_up() {
    [ -z "$staged" ] || rm -f "$staged"
    [ -z "$work" ] || rm -rf "$work"
}

# --- bytes ------------------------------------------------------------------------------------------------------------

# Puts FILE of the release at FROM (URL or folder) into the work folder, or says in $problem what went wrong.
fetch() { # FROM FILE
    case $1 in
        *://*) download "$1/$2" "$work/$2" ;;
        *) problem=$(cp "$1/$2" "$work/$2" 2>&1) ;;
    esac
}

download() { # URL FILE
    if have curl; then
        problem=$(curl --fail --silent --show-error --location --retry 3 --connect-timeout 20 \
            --speed-limit 1 --speed-time 60 --output "$2" "$1" 2>&1)
    elif have wget; then
        # Without -T: the wget of busybox 1.35 crashes on it.
        problem=$(wget -O "$2" "$1" 2>&1)
    else
        fail 'neither curl nor wget is here' 'install one of them, or bring the files and pass --offline FOLDER'
    fi
}

last_line() { printf '%s\n' "$1" | sed -n '/./h; ${ g; p; }'; }

need() { # FROM FILE
    fetch "$1" "$2" || fail "cannot get $1/$2" "$(last_line "$problem")" \
        'no network? behind a proxy set https_proxy; else a mirror (--mirror) or files brought along (--offline)'
}

sha256_of() { # FILE
    if have sha256sum; then
        sha256sum "$1" | sed 's/[^0-9a-f].*//'
    elif have shasum; then
        shasum -a 256 "$1" | sed 's/[^0-9a-f].*//'
    elif have openssl; then
        openssl dgst -sha256 -r "$1" | sed 's/[^0-9a-f].*//'
    else
        fail 'nothing here computes SHA-256: sha256sum, shasum or openssl is needed'
    fi
}

slice() { # FILE OFFSET LENGTH
    dd if="$1" bs=1 skip="$2" count="$3" 2>/dev/null
}

hex() { od -An -v -tx1 | tr -d ' \n'; }

# --- proof of origin --------------------------------------------------------------------------------------------------

# Whether a raw Ed25519 signature holds. KEY is the 32 bytes in base64, behind the constant head of such keys.
ed25519_holds() { # KEY MESSAGE_FILE SIGNATURE_FILE
    printf -- '-----BEGIN PUBLIC KEY-----\nMCowBQYDK2VwAyEA%s\n-----END PUBLIC KEY-----\n' "$1" >"$work/key.pem"
    openssl pkeyutl -verify -pubin -inkey "$work/key.pem" -rawin -in "$2" -sigfile "$3" >/dev/null 2>&1
}

# Whether the openssl here can do what a minisign signature needs, tried on a signature from RFC 8032 (section 7.1,
# test 2): it must hold for its message and for no other.
openssl_can_verify() {
    have openssl || return 1
    known_key='PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw='
    echo 'kqAJqfDUyrhyDoILX2QlQKKye1QWUD+Ps3YiI+vbadoIWsHkPhWZbkWPNhPQ8R2MOHsurrQwKu6wDSkWErsMAA==' |
        openssl base64 -d -A >"$work/known.sig" 2>/dev/null || return 1
    printf r >"$work/known"
    printf s >"$work/other"
    openssl dgst -blake2b512 -binary "$work/known" >/dev/null 2>&1 || return 1
    ed25519_holds "$known_key" "$work/known" "$work/known.sig" || return 1
    ! ed25519_holds "$known_key" "$work/other" "$work/known.sig"
}

# Checks SHA256SUMS against a minisign signature by KEY with openssl, and prints the trusted comment.
#
# Line 2 of the signature: `ED`, 8 bytes of key id, Ed25519 over the BLAKE2b-512 of the file. Line 4: Ed25519 over that
# signature and the trusted comment of line 3. The public key: `Ed`, key id, 32 bytes.
verify_with_openssl() { # KEY SIGNATURE
    printf '%s' "$1" | openssl base64 -d -A >"$work/public" 2>/dev/null || return 1
    sed -n 2p "$2" | tr -d '\r\n' | openssl base64 -d -A >"$work/signature" 2>/dev/null || return 1
    sed -n 4p "$2" | tr -d '\r\n' | openssl base64 -d -A >"$work/global.sig" 2>/dev/null || return 1
    [ "$(slice "$work/public" 0 2)" = Ed ] && [ "$(slice "$work/signature" 0 2)" = ED ] || return 1
    [ "$(slice "$work/public" 2 8 | hex)" = "$(slice "$work/signature" 2 8 | hex)" ] || return 1
    raw_key=$(slice "$work/public" 10 32 | openssl base64 -A)
    slice "$work/signature" 10 64 >"$work/sums.sig"
    openssl dgst -blake2b512 -binary "$work/SHA256SUMS" >"$work/sums.hash" || return 1
    ed25519_holds "$raw_key" "$work/sums.hash" "$work/sums.sig" || return 1
    trusted=$(sed -n '3s/^trusted comment: //p' "$2" | tr -d '\r')
    { cat "$work/sums.sig"; printf '%s' "$trusted"; } >"$work/global"
    ed25519_holds "$raw_key" "$work/global" "$work/global.sig" || return 1
    printf '%s\n' "$trusted"
}

verify_with_minisign() { # KEY SIGNATURE
    minisign -V -Q -P "$1" -x "$2" -m "$work/SHA256SUMS" 2>/dev/null
}

# Prints the trusted comment of a signature that one of the keys made.
signed_comment() { # SIGNATURE
    for key in $keys; do
        if "verify_with_$verifier" "$key" "$work/$1"; then return; fi
    done
    return 1
}

# Proves the release and leaves: version, from (where its files lie), $work/sums (what is proved), proof (in words).
prove_release() {
    if [ -n "$own_key" ]; then keys=$own_key; else keys=$release_keys; fi
    if have minisign; then
        verifier=minisign
    elif openssl_can_verify; then
        verifier=openssl
    else
        verifier=''
    fi
    if [ -n "$verifier" ] && [ -n "$keys" ]; then prove_by_signature; else prove_by_carried_sums; fi
}

prove_by_signature() {
    if [ -n "$offline" ]; then
        from=$offline
    elif [ -n "$version" ]; then
        from=$mirror/download/v$version
    elif [ "$channel" = preview ]; then
        from=$mirror/download/channel-preview
    else
        from=$mirror/latest/download
    fi
    need "$from" SHA256SUMS
    need "$from" SHA256SUMS.minisig
    comment=$(signed_comment SHA256SUMS.minisig) || comment=''
    # While keys change, a release has a second signature.
    if [ -z "$comment" ] && fetch "$from" SHA256SUMS.next.minisig; then
        comment=$(signed_comment SHA256SUMS.next.minisig) || comment=''
    fi
    [ -n "$comment" ] || fail "the signature of $from/SHA256SUMS does not hold: nothing is installed" \
        'the files were changed on their way, or another key signed them (--public-key)'
    signed=${comment#kapstan }
    case "$signed" in
        '' | "$comment" | *[!0-9A-Za-z.+-]*) fail "the signature of $from/SHA256SUMS is for \`$comment\`, which is no release of kapstan" ;;
    esac
    [ -z "$version" ] || [ "$version" = "$signed" ] ||
        fail "$from holds version $signed, not $version: nothing is installed"
    # Whoever serves an old release as the newest may want its faults.
    if [ -z "$version" ] && [ -z "$offline" ] && [ -n "$release_version" ] && is_older "$signed" "$release_version"; then
        fail "$from offers $signed as the newest version, but this installer is of $release_version" \
            "the mirror is out of date; to install that version all the same: --version $signed"
    fi
    # `latest` may move on while we read.
    if [ -z "$version" ] && [ -z "$offline" ]; then from=$mirror/download/v$signed; fi
    version=$signed
    cp "$work/SHA256SUMS" "$work/sums"
    proof="signature of SHA256SUMS, checked by $verifier"
}

prove_by_carried_sums() {
    [ -z "$own_key" ] || fail 'a public key is given, but nothing here can check a signature' 'install minisign, or openssl 3 or later'
    [ -n "$release_sums" ] || fail 'nothing here proves where the files come from' \
        'this copy of the installer carries no checksums: take the one of a release, or pass --public-key and have minisign or openssl 3'
    [ -z "$version" ] || [ "$version" = "$release_version" ] ||
        fail "without minisign or openssl 3 this installer can prove version $release_version only, not $version" \
            "take the installer of that release: $mirror/download/v$version/install.sh"
    version=$release_version
    if [ -n "$offline" ]; then from=$offline; else from=$mirror/download/v$version; fi
    printf '%s\n' "$release_sums" >"$work/sums"
    proof='checksum carried by this installer (there is neither minisign nor openssl 3 to check the signature)'
}

# Whether version $1 is older than $2 by its three numbers.
is_older() {
    left=${1%%[-+]*}
    right=${2%%[-+]*}
    for place in 1 2 3; do
        left_number=$(printf '%s' "$left" | cut -d . -f "$place")
        right_number=$(printf '%s' "$right" | cut -d . -f "$place")
        [ "${left_number:-0}" -ge "${right_number:-0}" ] || return 0
        [ "${left_number:-0}" -le "${right_number:-0}" ] || return 1
    done
    return 1
}

choose_archive() {
    archive=kapstan-$version-$target.tar.gz
    wanted_sum=$(awk -v name="$archive" '$2 == name || $2 == "*" name { print $1; exit }' "$work/sums")
    [ -n "$wanted_sum" ] || fail "kapstan $version is not there for $target" "there is: $(awk '{ print $2 }' "$work/sums" |
        sed -n "s/^\*\{0,1\}kapstan-$version-\(.*\)\.tar\.gz\$/\1/p; s/^\*\{0,1\}kapstan-$version-\(.*\)\.zip\$/\1/p" | grep -v airgap | tr '\n' ' ')"
}

fetch_archive() {
    need "$from" "$archive"
    found_sum=$(sha256_of "$work/$archive")
    [ "$found_sum" = "$wanted_sum" ] || fail "the checksum of $archive is wrong: nothing is installed" \
        "it should be $wanted_sum" "it is        ${found_sum:-unknown}" 'the download was cut short or changed; try again'
    mkdir "$work/unpacked"
    problem=$(tar -xzf "$work/$archive" -C "$work/unpacked" 2>&1) ||
        fail "cannot unpack $archive" "$(printf '%s\n' "$problem" | grep -i -m 1 space || last_line "$problem")" "is there space in $work?"
}

# --- putting it in place ----------------------------------------------------------------------------------------------

# Makes a folder and its parents, and remembers those that were not there.
make_folder() { # FOLDER
    [ ! -d "$1" ] || return 0
    parent=${1%/*}
    make_folder "${parent:-/}" || return 1
    mkdir "$1" 2>/dev/null || [ -d "$1" ] || return 1
    printf '%s\n' "$1" >>"$work/folders"
}

# The new binary lies beside the old one and has run before it takes its place by a rename: at every moment one of
# them is whole.
install_binary() {
    make_folder "$folder" || no_access
    [ -w "$folder" ] || no_access
    [ ! -d "$binary" ] || fail "$binary is a folder"
    staged=$folder/.kapstan.new.$$
    problem=$(cp "$work/unpacked/kapstan" "$staged" 2>&1) || fail "cannot write to $folder" "$(last_line "$problem")"
    chmod 755 "$staged"
    status=0
    "$staged" --version >"$work/said" 2>&1 || status=$?
    case $status in
        0) ;;
        126) fail "programs cannot be run from $folder: is it mounted noexec?" 'choose another folder: --dir FOLDER' ;;
        *) fail "the binary for $target does not run on this machine (status $status)" "$(sed -n 1p "$work/said")" ;;
    esac
    check_by_binary
    mv -f "$staged" "$binary" || fail "cannot replace $binary"
    staged=''
}

no_access() {
    fail "no write access to $folder" 'choose another folder (--dir FOLDER) or install as root'
}

# Where no tool could check the signature the new binary can: it has the keys inside. Its own bytes are proved by then.
check_by_binary() {
    [ -n "$verifier" ] && return
    "$staged" self verify --help >/dev/null 2>&1 || return 0
    fetch "$from" SHA256SUMS && fetch "$from" SHA256SUMS.minisig || return 0
    fetch "$from" SHA256SUMS.next.minisig || rm -f "$work/SHA256SUMS.next.minisig"
    "$staged" self verify "$work/SHA256SUMS" --release "$version" >"$work/said" 2>&1 ||
        fail "the signature of $from/SHA256SUMS does not hold: nothing is installed" "$(sed -n 1p "$work/said")"
    proof='checksum carried by this installer, and signature of SHA256SUMS, checked by the new binary'
}

# Completions and manual pages, where the shells and man look for them. Lacking them is no reason to fail.
install_extras() {
    completions=$work/unpacked/completions
    install_extra "$completions/kapstan.bash" "$data/bash-completion/completions" kapstan
    install_extra "$completions/_kapstan" "$data/zsh/site-functions" _kapstan
    install_extra "$completions/kapstan.fish" "$data/fish/vendor_completions.d" kapstan.fish
    for page in "$work/unpacked/man/man1"/*; do
        install_extra "$page" "$data/man/man1" "${page##*/}"
    done
}

install_extra() { # SOURCE FOLDER NAME
    [ -f "$1" ] || return 0
    if make_folder "$2" && cp "$1" "$2/.kapstan.new.$$" 2>/dev/null && mv -f "$2/.kapstan.new.$$" "$2/$3"; then
        printf '%s\n' "$2/$3" >>"$work/files"
    else
        rm -f "$2/.kapstan.new.$$" 2>/dev/null || :
        warn "could not write $2/$3; kapstan works without it"
    fi
}

# --- PATH -------------------------------------------------------------------------------------------------------------

quoted() { printf "'%s'" "$(printf '%s' "$1" | sed "s/'/'\\\\''/g")"; }

set_up_path() {
    shell=${SHELL:-sh}
    shell=${shell##*/}
    case :$PATH: in
        *":$folder:"*) in_path=1 ;;
        *) in_path='' ;;
    esac
    if [ -n "$modify_path" ]; then
        add_to_profile
    elif [ -z "$in_path" ]; then
        say "$folder is not in PATH. Add it in your shell's start-up file, or let this installer do it (--modify-path):"
        if [ "$shell" = fish ]; then say "  fish_add_path $(quoted "$folder")"; else say "  export PATH=$(quoted "$folder"):\"\$PATH\""; fi
    fi
    if [ "$shell" = zsh ] && [ -z "$is_root" ]; then
        say "Completions for zsh lie in $data/zsh/site-functions: have it in fpath before compinit runs."
    fi
    found=$(command -v kapstan || :)
    case $found in
        '' | "$binary") ;;
        *) [ -z "$in_path" ] || warn "another kapstan comes first in PATH: $found" ;;
    esac
}

# Adds the folder to PATH in the start-up file of the user's shell, once. fish reads a folder: there it is a file.
add_to_profile() {
    case $shell in
        fish)
            # The variable is fish's.
            # shellcheck disable=SC2016
            printf 'contains -- %s $PATH; or set -gx PATH %s $PATH %s\n' "$(quoted "$folder")" "$(quoted "$folder")" "$profile_mark" >"$work/path.fish"
            install_extra "$work/path.fish" "${XDG_CONFIG_HOME:-$home/.config}/fish/conf.d" kapstan-path.fish
            return
            ;;
        zsh) profile=${ZDOTDIR:-$home}/.zshrc ;;
        bash) if [ "$(uname -s)" = Darwin ]; then profile=$home/.bash_profile; else profile=$home/.bashrc; fi ;;
        *) profile=$home/.profile ;;
    esac
    if [ -f "$profile" ] && grep -q "$profile_mark\$" "$profile"; then return; fi
    line="export PATH=$(quoted "$folder"):\"\$PATH\" $profile_mark"
    if [ -s "$profile" ] && [ -n "$(tail -c 1 "$profile")" ]; then line=$(printf '\n%s' "$line"); fi
    if printf '%s\n' "$line" 2>/dev/null >>"$profile"; then
        say "PATH: added to $profile; a new shell knows it"
    else
        warn "could not write $profile; add $folder to PATH yourself"
        profile=''
    fi
}

# --- the receipt ------------------------------------------------------------------------------------------------------

json_text() { printf '"%s"' "$(printf '%s' "$1" | sed 's/[\\"]/\\&/g')"; }

json_list() { # FILE OF LINES
    separator=''
    printf '['
    while IFS= read -r entry; do
        printf '%s%s' "$separator" "$(json_text "$entry")"
        separator=', '
    done <"$1"
    printf ']'
}

# Says what was installed, for `kapstan self update`, `kapstan self uninstall` and --uninstall.
write_receipt() {
    make_folder "$receipt_folder" || { warn "could not make $receipt_folder: without a receipt kapstan will not update itself"; return; }
    {
        printf '{\n  "schema": 1,\n  "path": %s,\n' "$(json_text "$binary")"
        printf '  "version": %s,\n  "files": %s,\n' "$(json_text "$version")" "$(json_list "$work/files")"
        printf '  "folders": %s,\n' "$(json_list "$work/folders")"
        [ -z "$profile" ] || printf '  "profile": %s,\n' "$(json_text "$profile")"
        printf '  "source": "install.sh"\n}\n'
    } >"$work/receipt.json"
    if cp "$work/receipt.json" "$receipt.new.$$" 2>/dev/null && mv -f "$receipt.new.$$" "$receipt"; then return; fi
    rm -f "$receipt.new.$$" 2>/dev/null || :
    warn "could not write $receipt: without a receipt kapstan will not update itself"
}

# Prints the receipt as lines `KEY<tab>TEXT`, a line for each entry of a list.
read_receipt() {
    awk '
        { text = text $0 " " }
        END {
            length_of_text = length(text); key = ""; in_list = 0; want_value = 0
            for (i = 1; i <= length_of_text; i++) {
                c = substr(text, i, 1)
                if (c == "[") in_list = 1
                else if (c == "]") { in_list = 0; want_value = 0 }
                else if (c == ":") want_value = 1
                else if (c == "," && !in_list) want_value = 0
                else if (c == "\"") {
                    value = ""
                    for (i++; i <= length_of_text; i++) {
                        c = substr(text, i, 1)
                        if (c == "\"") break
                        if (c == "\\") { i++; c = substr(text, i, 1) }
                        value = value c
                    }
                    if (want_value) print key "\t" value; else key = value
                }
            }
        }' "$receipt"
}

receipt_values() { read_receipt | sed -n "s/^$1	//p"; } # KEY

# An installation over an earlier one keeps what that one noted.
take_over_receipt() {
    : >"$work/files.old"
    : >"$work/folders"
    profile=''
    [ -f "$receipt" ] || return 0
    earlier=$(receipt_values path)
    if [ "$earlier" = "$binary" ]; then
        receipt_values files >"$work/files.old"
        receipt_values folders >"$work/folders"
        profile=$(receipt_values profile)
    elif [ -e "$earlier" ]; then
        warn "the kapstan at $earlier stays where it is; its receipt is replaced"
    fi
}

merge_files() {
    while IFS= read -r entry; do
        grep -Fqx -- "$entry" "$work/files" || printf '%s\n' "$entry" >>"$work/files"
    done <"$work/files.old"
}

remove_installation() {
    [ -f "$receipt" ] || fail "nothing to remove: there is no receipt at $receipt" \
        'what a package manager installed, it removes; a binary copied by hand is removed by hand'
    binary=$(receipt_values path)
    case $binary in /*/kapstan) ;; *) fail "the receipt at $receipt names no binary" ;; esac
    if [ -n "$dry_run" ]; then
        say 'would remove:'
        { printf '%s\n' "$binary"; receipt_values files; printf '%s\n' "$receipt"; } | sed 's/^/  /'
        return
    fi
    folder=${binary%/*}
    [ ! -e "$binary" ] || [ -w "$folder" ] || fail "no write access to $folder" 'run the installer as the user that installed kapstan'
    receipt_values files >"$work/files"
    receipt_values folders >"$work/folders"
    profile=$(receipt_values profile)
    rm -f "$binary" "$folder/.kapstan.new."* "$folder/kapstan.previous"
    while IFS= read -r entry; do
        case $entry in /*) rm -f "$entry" || warn "could not remove $entry" ;; esac
    done <"$work/files"
    [ -z "$profile" ] || clean_profile
    rm -f "$receipt"
    sort -r "$work/folders" >"$work/folders.deepest"
    while IFS= read -r entry; do
        case $entry in /*) rmdir "$entry" 2>/dev/null || : ;; esac
    done <"$work/folders.deepest"
    say "removed $binary"
}

clean_profile() {
    [ -f "$profile" ] || return 0
    sed "/$profile_mark\$/d" "$profile" >"$work/profile" || return 0
    # Not by a rename: the file may be a link, and its owner and mode are the user's.
    if [ -s "$work/profile" ]; then cat "$work/profile" >"$profile"; else rm -f "$profile"; fi
}

# --- the order of things ----------------------------------------------------------------------------------------------

main() {
    read_arguments "$@"
    umask 022
    choose_places
    make_work_folder
    if [ -n "$uninstall" ]; then
        remove_installation
        return
    fi
    [ -n "$target" ] || target=$(detect_target)
    have tar || fail 'tar is needed to unpack the release'
    prove_release
    choose_archive
    if [ -n "$dry_run" ]; then
        say "would install kapstan $version for $target"
        say "  from     $from/$archive"
        say "  to       $binary"
        say "  proof    $proof"
        return
    fi
    fetch_archive
    take_over_receipt
    : >"$work/files"
    install_binary
    install_extras
    set_up_path
    merge_files
    write_receipt
    say "kapstan $version is installed: $binary"
    say "  proof: $proof"
}

main "$@"
