# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# What must fail, and leave the old binary as it was. Read by dist/test/installer.

test_tampering() {
    while IFS='|' read -r mirror text; do
        for tools in minisign openssl; do
            begin "tampered: $mirror, $tools"
            path=$(paths common sums curl "$tools")
            old_installed
            installer 0.2.0 --mirror "$url/bad/$mirror"
            fails 1 "$text"
            old_untouched; end
        done
    done <<'END'
archive|the checksum of kapstan-0.2.0-x86_64-unknown-linux-musl.tar.gz is wrong
sums|the signature of
signature|the signature of
comment|the signature of
key|the signature of
foreign|which is no release of kapstan
unsigned|cannot get
stale|offers 0.1.0 as the newest version
broken|does not run on this machine (status 3)
END
    begin 'another release under the name of this one'
    old_installed
    installer 0.2.0 --mirror "$url/bad/renamed" --version 0.2.0
    fails 1 'holds version 0.1.0, not 0.2.0'; old_untouched; end
    begin 'a stale mirror, when the version is named'
    installer 0.2.0 --mirror "$url/bad/stale" --version 0.1.0
    succeeds; runs 0.1.0; end
    for mirror in archive sums; do
        begin "tampered: $mirror, nothing to check signatures with"
        path=$(paths common sums curl)
        old_installed
        installer 0.2.0 --mirror "$url/bad/$mirror"
        fails 1 'the checksum of'; old_untouched; end
    done
    begin 'the wrong public key'
    old_installed
    installer 0.2.0 --mirror "$url/mirror" --public-key "$other_key"
    fails 1 'the signature of'; old_untouched; end
}

test_network() {
    for fault in truncated short; do
        for downloader in curl wget; do
            begin "a download cut short: $fault, $downloader"
            path=$(paths common sums openssl "$downloader")
            old_installed
            # GNU wget takes up a broken download again: to the server that is a new request, and it breaks again.
            extra=(WGETRC="$work/wgetrc")
            echo 'tries = 2' >"$work/wgetrc"
            installer 0.2.0 --mirror "$url/$fault/mirror"
            [ "$status" = 1 ] || wrong "status $status"
            grep -qE 'cannot get|checksum of' "$out" || wrong 'does not say what is wrong'
            old_untouched; end
        done
    done
    for downloader in curl wget; do
        begin "no network, $downloader"
        path=$(paths common sums openssl "$downloader")
        old_installed
        installer 0.2.0 --mirror http://127.0.0.1:9/releases
        fails 1 'cannot get http://127.0.0.1:9/releases/latest/download/SHA256SUMS' 'no network?'
        old_untouched; end
        begin "a version that is not there, $downloader"
        path=$(paths common sums openssl "$downloader")
        installer 0.2.0 --mirror "$url/mirror" --version 9.9.9
        fails 1 "cannot get $url/mirror/download/v9.9.9/SHA256SUMS" 404; end
    done
    if obeys_path; then
        begin 'neither curl nor wget'
        path=$(paths common sums openssl)
        old_installed
        installer 0.2.0 --mirror "$url/mirror"
        fails 1 'neither curl nor wget is here'; old_untouched; end
    fi
    begin 'a mirror that is not safe'
    installer 0.2.0 --mirror http://mirror.example/releases
    fails 1 'is not safe: use https'; end
    begin 'a folder to install from that is not there'
    installer 0.2.0 --offline "$home/nothing"
    fails 1 'there is no folder'; end
    begin 'killed while it downloads'
    old_installed
    (cd "$home" && exec setpriv --reuid 65534 --regid 65534 --clear-groups env -i HOME="$home" PATH="$path" TMPDIR="$work/user/tmp" \
        "${shell[@]}" "$work/install-0.2.0.sh" --mirror "$url/stalled/mirror") >"$out" 2>&1 &
    victim=$!
    for _ in $(seq 100); do [ -n "$(find "$work/user/tmp" -name '*.tar.gz' 2>/dev/null)" ] && break; sleep 0.05; done
    [ -n "$(find "$work/user/tmp" -name '*.tar.gz')" ] || wrong 'the download did not begin'
    # The shell acts on the signal when its curl has ended: Ctrl-C goes to both.
    for child in $(ps -o pid= --ppid "$victim"); do kill "$child"; done
    kill "$victim" 2>/dev/null || :
    wait "$victim" 2>/dev/null || :
    [ -z "$(ls -A "$work/user/tmp")" ] || wrong 'left its temporary folder'
    old_untouched; end
}

test_bare_machine() {
    if obeys_path; then
        begin 'no tool for SHA-256'
        old_installed
        path=$(paths common curl minisign)
        installer 0.2.0 --mirror "$url/mirror"
        fails 1 'nothing here computes SHA-256'
        path=$everything
        old_untouched; end
    fi
    begin 'a key given, nothing to check with'
    path=$(paths common sums curl)
    installer 0.2.0 --mirror "$url/mirror" --public-key "$key"
    fails 1 'nothing here can check a signature'; end
    begin 'an installer that carries nothing'
    path=$(paths common sums curl)
    installer bare --mirror "$url/mirror"
    fails 1 'nothing here proves where the files come from'
    path=$everything
    installer bare --mirror "$url/mirror"
    fails 1 'nothing here proves where the files come from'
    installer bare --mirror "$url/mirror" --public-key "$key"
    succeeds; runs 0.2.0; end
    begin 'another version than the installer can prove'
    path=$(paths common sums curl)
    installer 0.2.0 --mirror "$url/mirror" --version 0.1.0
    fails 1 'can prove version 0.2.0 only, not 0.1.0'; end
    begin 'a signature that the new binary does not hold good'
    path=$(paths common sums curl)
    installer 0.2.0 --mirror "$url/bad/comment"
    fails 1 'does not hold: nothing is installed'; says 'not signed'; end
    begin 'an openssl too old for these signatures'
    mkdir -p "$work/bin/old"
    printf '#!/bin/sh\ncase "$1" in pkeyutl) echo "unknown option -rawin" >&2; exit 1 ;; esac\nexec %s "$@"\n' "$(command -v openssl)" >"$work/bin/old/openssl"
    chmod 755 "$work/bin/old/openssl"
    path=$(paths common sums curl old)
    installer 0.2.0 --mirror "$url/mirror"
    succeeds; says 'checksum carried by this installer'; end
    begin 'an openssl that finds every signature good'
    printf '#!/bin/sh\ncase "$1" in pkeyutl) exit 0 ;; esac\nexec %s "$@"\n' "$(command -v openssl)" >"$work/bin/old/openssl"
    path=$(paths common sums curl old)
    installer 0.2.0 --mirror "$url/mirror"
    succeeds; says 'checksum carried by this installer'; end
    begin 'no HOME'
    status=0
    as_user env -u HOME "${shell[@]}" "$work/install-0.2.0.sh" --mirror "$releases/mirror" >"$out" 2>&1 || status=$?
    fails 1 'HOME is not set'; end
}

test_writing() {
    begin 'no write access'
    old_installed
    mkdir "$work/user/locked"
    installer 0.2.0 --mirror "$releases/mirror" --dir "$work/user/locked"
    fails 1 "no write access to $work/user/locked"
    [ -z "$(ls -A "$work/user/locked")" ] || wrong 'wrote all the same'
    chown root "$home/.local/bin"
    chmod 755 "$home/.local/bin"
    before=$(snapshot)
    installer 0.2.0 --mirror "$releases/mirror"
    fails 1 'no write access'
    old_untouched
    installer 0.2.0 --uninstall
    fails 1 'no write access'
    old_untouched; end
    begin 'a folder in place of the binary'
    mkdir -p "$home/.local/bin/kapstan"
    chown -R 65534:65534 "$home"
    before=$(snapshot)
    installer 0.2.0 --mirror "$releases/mirror"
    fails 1 'is a folder'
    [ "$(snapshot)" = "$before" ] || wrong 'changed the home'
    end
    begin 'completions that cannot be written'
    mkdir -p "$home/.local/share"
    : >"$home/.local/share/man"
    chown -R 65534:65534 "$home"
    installer 0.2.0 --mirror "$releases/mirror"
    succeeds; runs 0.2.0; says 'could not write'; end
    mkdir -p "$work/mounts/small" "$work/mounts/noexec"
    if mount -t tmpfs -o size=128k,mode=777 tmpfs "$work/mounts/small" && mount -t tmpfs -o noexec,mode=777 tmpfs "$work/mounts/noexec"; then
        begin 'no space for the binary'
        printf '#!/bin/sh\necho kapstan 0.0.9\n' >"$work/mounts/small/kapstan"
        chmod 755 "$work/mounts/small/kapstan"
        chown 65534 "$work/mounts/small/kapstan"
        installer 0.2.0 --mirror "$releases/mirror" --dir "$work/mounts/small"
        fails 1 "cannot write to $work/mounts/small" 'No space'
        [ "$(ls -A "$work/mounts/small")" = kapstan ] || wrong "left: $(ls -A "$work/mounts/small")"
        runs 0.0.9 "$work/mounts/small/kapstan"
        end
        begin 'no space for the download'
        rm -f "$work/mounts/small/kapstan"
        old_installed
        extra=(TMPDIR="$work/mounts/small")
        installer 0.2.0 --mirror "$url/mirror"
            fails 1 "cannot unpack" "is there space in"
        [ -z "$(ls -A "$work/mounts/small")" ] || wrong "left: $(ls -A "$work/mounts/small")"
        extra=()
        old_untouched; end
        begin 'programs cannot be run there'
        installer 0.2.0 --mirror "$releases/mirror" --dir "$work/mounts/noexec"
        fails 1 'is it mounted noexec?'
        [ -z "$(ls -A "$work/mounts/noexec")" ] || wrong "left: $(ls -A "$work/mounts/noexec")"
        end
        umount "$work/mounts/small" "$work/mounts/noexec"
    else
        begin 'small and noexec file systems'
        wrong 'could not be mounted here'
        end
    fi
}

test_usage() {
    while IFS='|' read -r options text; do
        begin "usage: $options"
        # Words, each an option.
        # shellcheck disable=SC2086
        installer 0.2.0 $options
        fails 2 "$text"; end
    done <<'END'
--nonsense|unknown option `--nonsense`
--version|--version needs a value
--version ../../x|is no version
--channel nightly|there is no channel `nightly`
--quiet=1|unknown option `1`
END
    begin 'help'
    installer 0.2.0 --help
    succeeds; says '--uninstall' 'KAPSTAN_RELEASES'; end
    begin 'a script that was cut off does nothing'
    size=$(wc -c <"$work/install-0.2.0.sh")
    for part in 1 2 3 5 8 9; do
        head -c $((size * part / 10)) "$work/install-0.2.0.sh" >"$work/part.sh"
        as_user KAPSTAN_RELEASES="$releases/mirror" "${shell[@]}" <"$work/part.sh" >"$out" 2>&1 || :
        [ -z "$(find "$home" -mindepth 1)" ] || wrong "$part tenths made $(find "$home" -mindepth 1)"
    done
    # All but the last line: whole functions, none called.
    sed '$d' "$work/install-0.2.0.sh" >"$work/part.sh"
    as_user KAPSTAN_RELEASES="$releases/mirror" "${shell[@]}" <"$work/part.sh" >"$out" 2>&1 || :
    [ -z "$(find "$home" -mindepth 1)" ] || wrong 'acts before its last line'
    end
}
