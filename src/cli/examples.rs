//! What `--help` of a command shows below its flags.

pub(super) const COMPILE: &str = "\
Examples:
  kapstan compile                      all targets, into compiled/
  kapstan compile -t web api           two targets; the others stay as they are
  kapstan compile -l env=prod tier=1   the targets that have both labels
  kapstan compile --diff               what would change, without writing it
  kapstan compile --reveal             with secrets in plain text: not for a repository

Flags get their defaults from `.kapitan`: `compile: {indent: 4, refs-path: secrets}`.";

pub(super) const LIST: &str = "\
Examples:
  kapstan list                         targets with their labels
  kapstan list -l env=prod             those that `compile -l env=prod` compiles
  kapstan list -o json                 for programs";

pub(super) const INVENTORY: &str = "\
Examples:
  kapstan inventory -t web                           everything that target web has
  kapstan inventory -t web -p parameters.database    a part of it; or -p data*
  kapstan inventory -t web -F                        one line a value
  kapstan inventory explain web database.host        which lines set it, and in what order
  kapstan inventory check                            every problem of every target
  kapstan inventory deps inventory/classes/db.yml    the targets that the file reaches
  kapstan inventory classes --unused                 classes that no target uses";

pub(super) const EXPLAIN: &str = "\
Examples:
  kapstan inventory explain web                      every value of target web
  kapstan inventory explain web database.host        one value; also database:host
  kapstan inventory explain web database.host -o json

Each line below a value is a place that set it, in the order of merging: the last one that is not
overridden counts. A `${reference}` is followed by the places that set what it leads to.";

pub(super) const SEARCHVAR: &str = "\
Examples:
  kapstan searchvar parameters.database.host   files that set exactly this
  kapstan searchvar host                       files that set a key `host`, however deep
  kapstan searchvar data* -p                   files with a key that holds `data`, values as YAML";

pub(super) const REFS: &str = "\
Examples:
  kapstan refs --write base64:web/token -f token.txt   write it: ?{base64:web/token} in templates
  kapstan refs --write gpg:web/key -f - -t web         standard input, for the recipients of web
  kapstan refs --reveal -f compiled/web/secret.yml     the file with its secrets
  kapstan refs --reveal --tag '?{base64:web/token}'    one secret
  kapstan refs --validate-targets                      do the keys fit the inventory?";

pub(super) const LINT: &str = "\
Examples:
  kapstan lint                                   odd or broken YAML, unused classes
  kapstan lint --fail-on-warning                 exit with 1 if there are any, for CI
  kapstan lint --search-secrets                  also references that compiled/ lacks";

pub(super) const INIT: &str = "\
Examples:
  kapstan init                                   in this folder
  kapstan init --directory shop                  in another one

Files that are there are never overwritten.";

pub(super) const EVAL: &str = "\
Examples:
  kapstan eval main.jsonnet                      as YAML
  kapstan eval main.jsonnet --output json --vars env=prod size=3";

pub(super) const ARGOCD: &str = "\
Examples:
  ARGOCD_APP_NAME=shop kapstan argocd generate                      the target of that name
  PARAM_TARGETS_0=a PARAM_TARGETS_1=b kapstan argocd generate       these two
  PARAM_FOLDER=manifests PARAM_REVEAL=true kapstan argocd generate  one folder, references replaced";

pub(super) const TEMPLATE: &str = "\
Examples:
  kapstan template motd.tpl -f values.yaml --set name=web

The language is Go's text/template, the functions are those of Helm's charts; `.` is the values.";

pub(super) const HELM: &str = "\
Examples:
  kapstan helm template web ./chart -f values.yaml
  kapstan helm template web ./chart --helm-compat 3    as Helm 3 does it
  ln -s kapstan helm                                   under this name it answers as helm

`helm-compat` may stand in .kapitan, under `helm`.";

pub(in crate::cli) const HELM_TEMPLATE: &str = "\
Examples:
  helm template web ./chart                       a folder or an archive
  helm template web ./chart -f prod.yaml --set image.tag=1.2
  helm template web ./chart -s templates/deployment.yaml
  helm template web ./chart --output-dir out      a file for each template";

pub(super) const SELF: &str = "\
Examples:
  kapstan self update                            the newest version
  kapstan self update --check                    is there one? exit status 100 if so
  kapstan self rollback                          back to the version before
  kapstan self version --verbose                 with target, commit and the crates inside";

pub(in crate::cli) const UPDATE: &str = "\
Examples:
  kapstan self update                            the newest stable version
  kapstan self update 1.2.3                      this one, also if it is older
  kapstan self update --channel preview          the newest one, also if it is not for everyone yet
  kapstan self update --mirror /srv/kapstan      from a folder, or from a server of one's own

Nothing is installed whose signature, checksum and version do not agree. The previous version stays
beside kapstan. Proxies: HTTPS_PROXY, NO_PROXY. Certificates: those of the system, or of SSL_CERT_FILE.";

pub(in crate::cli) const VERIFY: &str = "\
Examples:
  kapstan self verify                            SHA256SUMS of this folder, and the files beside it
  kapstan self verify dl/SHA256SUMS --release 1.2.3   and it has to be this version

The signature is the file with `.minisig` behind the name of the list. Listed files that are not there are counted.";

pub(super) const COMPLETIONS: &str = "\
Examples:
  kapstan completions bash > ~/.local/share/bash-completion/completions/kapstan
  kapstan completions zsh > ~/.zfunc/_kapstan    in a folder that `fpath` names
  kapstan completions fish > ~/.config/fish/completions/kapstan.fish
  kapstan completions powershell | Out-String | Invoke-Expression";

pub(super) const MAN: &str = "\
Examples:
  kapstan man compile | man -l -                 read a page
  kapstan man --output ~/.local/share/man/man1   write all of them";
