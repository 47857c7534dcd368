# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# Machines with nothing but busybox. Read by dist/test/installer.

# A root folder with busybox and nothing else; `32` gives it a 32-bit /bin/sh.
make_root() { # FOLDER [32]
    mkdir -p "$1/bin" "$1/tmp" "$1/etc" "$1/root" "$1/home/user" "$1/dev"
    chmod 1777 "$1/tmp"
    : >"$1/dev/null"
    chmod 666 "$1/dev/null"
    cp "$busybox" "$1/bin/busybox"
    for applet in $("$busybox" --list); do [ "$applet" = busybox ] || ln -s busybox "$1/bin/$applet"; done
    if [ "${2:-}" = 32 ]; then
        rm "$1/bin/sh"
        python3 "$here/elf32.py" "$1/bin/sh"
    fi
    chown 65534 "$1/home/user"
    cp "$work/install-0.2.0.sh" "$1/install.sh"
}

test_chroots() {
    begin 'bare chroot, as root'
    make_root "$work/root"
    status=0
    chroot "$work/root" /bin/env -i PATH=/bin /bin/sh /install.sh --mirror "$url/mirror" >"$out" 2>&1 || status=$?
    succeeds; says 'kapstan 0.2.0 is installed: /usr/local/bin/kapstan' 'checksum carried'
    [ "$(chroot "$work/root" /usr/local/bin/kapstan --version)" = 'kapstan 0.2.0' ] || wrong 'does not run'
    [ -s "$work/root/usr/local/share/man/man1/kapstan.1" ] || wrong 'no manual'
    [ -s "$work/root/root/.config/kapstan/receipt.json" ] || wrong 'no receipt'
    chroot "$work/root" /bin/env -i PATH=/bin /bin/sh /install.sh --uninstall >"$out" 2>&1 || wrong 'cannot be removed'
    [ -z "$(find "$work/root/usr" "$work/root/root" "$work/root/tmp" -mindepth 1 2>/dev/null)" ] || wrong "left: $(find "$work/root/usr" "$work/root/root" -mindepth 1)"
    end
    begin 'bare chroot, as a user'
    status=0
    chroot --userspec=65534:65534 "$work/root" /bin/env -i PATH=/bin HOME=/home/user /bin/sh /install.sh --mirror "$url/mirror" >"$out" 2>&1 || status=$?
    succeeds; says 'kapstan 0.2.0 is installed: /home/user/.local/bin/kapstan'
    [ "$(chroot "$work/root" /home/user/.local/bin/kapstan --version)" = 'kapstan 0.2.0' ] || wrong 'does not run'
    status=0
    chroot --userspec=65534:65534 "$work/root" /bin/env -i PATH=/bin HOME=/home/user /bin/sh /install.sh --mirror "$url/bad/archive" >"$out" 2>&1 || status=$?
    fails 1 'the checksum of'
    [ "$(chroot "$work/root" /home/user/.local/bin/kapstan --version)" = 'kapstan 0.2.0' ] || wrong 'does not run any more'
    end
    rm -rf "$work/root"
    begin '32-bit programs under a 64-bit kernel'
    make_root "$work/root" 32
    status=0
    chroot "$work/root" /bin/env -i PATH=/bin /bin/sh /install.sh --mirror "$url/mirror" --dry-run >"$out" 2>&1 || status=$?
    succeeds; says 'for i686-unknown-linux-musl'
    end
    rm -rf "$work/root"
}
