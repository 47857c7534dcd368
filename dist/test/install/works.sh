# shellcheck shell=bash disable=SC2016,SC2034,SC2154
# What the installer must do. Read by dist/test/installer.

test_newest_with_every_proof() {
    for tools in 'minisign:checked by minisign' 'openssl:checked by openssl' 'nothing:checked by the new binary'; do
        begin "newest version, ${tools%%:*}"
        path=$(paths common sums curl "${tools%%:*}")
        installer 0.2.0 --mirror "$url/mirror"
        succeeds
        runs 0.2.0
        says "${tools#*:}"
        receipt x "r['schema'] == 1 and r['version'] == '0.2.0' and r['path'] == '$home/.local/bin/kapstan' and r['source'] == 'install.sh'"
        receipt x "sorted(p[len('$home/.local/share/'):] for p in r['files']) == ['bash-completion/completions/kapstan', 'fish/vendor_completions.d/kapstan.fish', 'man/man1/kapstan-compile.1', 'man/man1/kapstan.1', 'zsh/site-functions/_kapstan']"
        for file in bash-completion/completions/kapstan zsh/site-functions/_kapstan man/man1/kapstan.1; do
            grep -q 0.2.0 "$home/.local/share/$file" || wrong "$file is not that of 0.2.0"
        done
        end
    done
}

test_sources() {
    begin 'wget instead of curl'
    path=$(paths common sums wget openssl)
    installer 0.2.0 --mirror "$url/mirror"
    succeeds; runs 0.2.0; end
    begin 'a mirror that is a folder'
    installer 0.2.0 --mirror="$releases/mirror/"
    succeeds; runs 0.2.0; end
    begin 'a mirror that is a release itself'
    installer 0.2.0 --mirror "$releases/mirror/download/v0.1.0"
    succeeds; runs 0.1.0; end
    begin 'a named version, with v'
    installer 0.2.0 --mirror "$url/mirror" --version v0.1.0
    succeeds; runs 0.1.0; end
    begin 'the preview channel'
    installer 0.1.0 --mirror "$url/mirror" --channel preview
    succeeds; runs 0.1.0; end
    for tools in minisign openssl nothing; do
        begin "the folder of a release, $tools"
        path=$(paths common sums "$tools")
        installer 0.2.0 --offline "$releases/mirror/download/v0.2.0"
        succeeds; runs 0.2.0; end
        begin "an unpacked air-gap archive, $tools"
        path=$(paths common sums "$tools")
        installer 0.2.0 --offline "$releases/airgap"
        succeeds; runs 0.2.0; end
    done
    begin 'the environment instead of options'
    extra=(KAPSTAN_RELEASES="$url/mirror" KAPSTAN_VERSION=0.1.0 KAPSTAN_INSTALL_DIR="$home/my programs" KAPSTAN_QUIET=1 KAPSTAN_MODIFY_PATH=1)
    installer 0.2.0
    succeeds; runs 0.1.0 "$home/my programs/kapstan"
    [ ! -s "$out" ] || wrong 'not quiet'
    grep -q "my programs" "$home/.bashrc" || wrong 'PATH not set up'
    end
    begin 'read from a pipe'
    status=0
    as_user "${shell[@]}" -s -- --mirror "$url/mirror" --quiet <"$work/install-0.2.0.sh" >"$out" 2>&1 || status=$?
    succeeds; runs 0.2.0
    [ ! -s "$out" ] || wrong 'not quiet'
    end
    for tools in minisign openssl; do
        begin "the second signature of a release between two keys, $tools"
        path=$(paths common sums curl "$tools")
        installer 0.2.0 --mirror "$url/bad/next"
        succeeds; runs 0.2.0; end
    done
    begin 'a key of one'"'"'s own'
    installer 0.2.0 --offline "$releases/bad/key/download/v0.2.0" --public-key "$other_key"
    succeeds; runs 0.2.0; end
    begin 'a key in a file'
    installer 0.2.0 --offline "$releases/bad/key/download/v0.2.0" --public-key "$releases/other.pub"
    succeeds; runs 0.2.0; end
    obeys_path || return 0
    begin 'sums by shasum or openssl'
    mkdir -p "$work/bin/shasum"
    printf '#!/bin/sh\n[ "$1 $2" = "-a 256" ] && exec %s "$3"\n' "$(command -v sha256sum)" >"$work/bin/shasum/shasum"
    chmod 755 "$work/bin/shasum/shasum"
    path=$(paths common shasum curl)
    installer 0.2.0 --mirror "$url/mirror"
    succeeds; runs 0.2.0
    path=$(paths common curl openssl)
    installer 0.2.0 --mirror "$url/mirror" --version 0.1.0
    succeeds; runs 0.1.0
    end
}

test_again_and_over() {
    begin 'over an older version'
    old_installed
    installer 0.2.0 --mirror "$url/mirror"
    succeeds; runs 0.2.0
    receipt x "r['version'] == '0.2.0' and len(r['files']) == 5 and '$home/.local/bin' in r['folders']"
    installer 0.2.0 --uninstall
    succeeds
    [ -z "$(find "$home" -mindepth 1)" ] || wrong "left: $(find "$home" -mindepth 1)"
    end
    begin 'while the old binary runs'
    old_installed
    "$busybox" sleep 5 <"$home/.local/bin/kapstan" &
    reader=$!
    installer 0.2.0 --mirror "$url/mirror"
    kill "$reader" 2>/dev/null || :
    succeeds; runs 0.2.0; end
}

test_dry_run() {
    begin 'a dry run'
    installer 0.2.0 --mirror "$url/mirror" --dry-run
    succeeds
    says "would install kapstan 0.2.0 for x86_64-unknown-linux-musl" "to       $home/.local/bin/kapstan"
    [ -z "$(find "$home" -mindepth 1)" ] || wrong "changed: $(find "$home" -mindepth 1)"
    old_installed
    installer 0.2.0 --uninstall --dry-run
    succeeds; says "$home/.local/bin/kapstan"; old_untouched; end
}

test_uninstall() {
    begin 'uninstalling leaves the home as it was'
    mkdir -p "$home/.local/bin" "$home/.local/share/man/man1" "$home/.config"
    printf 'alias a=b\n' >"$home/.bashrc"
    echo other >"$home/.local/bin/other"
    chown -R 65534:65534 "$home"
    chmod 640 "$home/.bashrc"
    empty=$(snapshot)
    installer 0.1.0 --mirror "$releases/mirror" --version 0.1.0 --modify-path
    succeeds
    [ "$(grep -c 'added by the kapstan installer$' "$home/.bashrc")" = 1 ] || wrong 'PATH not set up once'
    installer 0.2.0 --mirror "$url/mirror" --modify-path
    succeeds
    [ "$(grep -c 'added by the kapstan installer$' "$home/.bashrc")" = 1 ] || wrong 'PATH not set up once'
    found=$(as_user /bin/bash -c '. "$HOME/.bashrc"; command -v kapstan') || :
    [ "$found" = "$home/.local/bin/kapstan" ] || wrong "a new shell finds \`$found\`"
    installer 0.2.0 --uninstall
    succeeds
    [ "$(snapshot)" = "$empty" ] || wrong "differs: $(diff <(echo "$empty") <(snapshot))"
    installer 0.2.0 --uninstall
    fails 1 'there is no receipt'
    end
    begin 'a receipt that another program wrote'
    old_installed
    python3 - "$home/.config/kapstan/receipt.json" <<'END'
import json, sys
receipt = json.load(open(sys.argv[1]))
json.dump(receipt, open(sys.argv[1], "w"), separators=(",", ":"), sort_keys=True)
END
    installer 0.2.0 --uninstall
    succeeds
    [ -z "$(find "$home" -mindepth 1)" ] || wrong "left: $(find "$home" -mindepth 1)"
    end
}

test_start_up_files() {
    while read -r login file; do
        begin "PATH for $login"
        login_shell=/bin/$login
        installer 0.2.0 --mirror "$releases/mirror"
        succeeds; says 'is not in PATH'
        [ ! -e "$home/$file" ] || wrong "$file was made without being asked for"
        installer 0.2.0 --mirror "$releases/mirror" --modify-path
        succeeds
        grep -q "$home/.local/bin" "$home/$file" || wrong "$file does not name the folder"
        installer 0.2.0 --uninstall
        [ -z "$(find "$home" -mindepth 1)" ] || wrong "left: $(find "$home" -mindepth 1)"
        unset login_shell
        end
    done <<'END'
bash .bashrc
zsh .zshrc
fish .config/fish/conf.d/kapstan-path.fish
ash .profile
END
    begin 'nothing to say when the folder is in PATH'
    path=$everything:$home/.local/bin
    installer 0.2.0 --mirror "$releases/mirror"
    succeeds
    ! grep -q 'not in PATH' "$out" || wrong 'says it is not in PATH'
    end
}

test_odd_folders() {
    begin 'a folder with blanks and quotes'
    odd="$home/a b'c\"d\\e"
    installer 0.2.0 --mirror "$releases/mirror" --dir "$odd" --modify-path
    succeeds; runs 0.2.0 "$odd/kapstan"
    PYTHONUTF8=1 receipt x "r['path'].endswith('/a b\'c\"d\\\\e/kapstan')"
    found=$(as_user /bin/bash -c '. "$HOME/.bashrc"; command -v kapstan') || :
    [ "$found" = "$odd/kapstan" ] || wrong "a new shell finds \`$found\`"
    installer 0.2.0 --uninstall
    succeeds
    [ -z "$(find "$home" -mindepth 1)" ] || wrong "left: $(find "$home" -mindepth 1)"
    end
    begin 'a relative folder'
    installer 0.2.0 --mirror "$releases/mirror" --dir programs
    succeeds; runs 0.2.0 "$home/programs/kapstan"
    receipt x "r['path'] == '$home/programs/kapstan'"
    end
}

test_platforms() {
    begin 'a platform that is named'
    installer 0.2.0 --mirror "$releases/mirror" --target i686-unknown-linux-musl
    succeeds; runs 0.2.0; end
    obeys_path || return 0
    while read -r system machine target; do
        begin "$system on $machine"
        fake_uname "$system" "$machine"
        path=$work/bin/fake:$everything
        installer 0.2.0 --mirror "$releases/mirror" --dry-run
        case $target in
            none) fails 1 "kapstan is not built for $system on $machine" ;;
            powershell) fails 1 'install.ps1' ;;
            absent:*) fails 1 "kapstan 0.2.0 is not there for ${target#absent:}" 'i686-unknown-linux-musl' ;;
            *) succeeds; says "for $target" ;;
        esac
        end
    done <<'END'
Linux x86_64 x86_64-unknown-linux-musl
Linux amd64 x86_64-unknown-linux-musl
Linux i686 i686-unknown-linux-musl
Linux i386 i686-unknown-linux-musl
Linux aarch64 absent:aarch64-unknown-linux-musl
Linux riscv64 none
Linux armv7l none
Darwin arm64 aarch64-apple-darwin
Darwin x86_64 absent:x86_64-apple-darwin
FreeBSD amd64 none
MINGW64_NT-10.0 x86_64 powershell
END
    begin 'a shell under Rosetta'
    fake_uname Darwin x86_64
    printf '#!/bin/sh\n[ "$*" = "-n sysctl.proc_translated" ] && echo 1\n' >"$work/bin/fake/sysctl"
    chmod 755 "$work/bin/fake/sysctl"
    path=$work/bin/fake:$everything
    installer 0.2.0 --mirror "$releases/mirror" --dry-run
    succeeds; says 'for aarch64-apple-darwin'
    rm "$work/bin/fake/sysctl"
    end
}
