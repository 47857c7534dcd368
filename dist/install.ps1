# Installs kapstan on Windows, or removes it. Windows PowerShell 5.1 or later.
#
#   irm https://github.com/kapstan/kapstan/releases/latest/download/install.ps1 | iex
#   powershell -ExecutionPolicy Bypass -File install.ps1 -Help
#
# Nothing is installed whose origin is not proved: by the signature of SHA256SUMS where minisign or openssl 3 is there
# (Git for Windows brings openssl), else by the checksums that this file carries. Everything is in functions and the last
# line calls the first of them, so that half a download does nothing. The same from the environment: KAPSTAN_VERSION,
# KAPSTAN_CHANNEL, KAPSTAN_INSTALL_DIR, KAPSTAN_TARGET, KAPSTAN_RELEASES, KAPSTAN_OFFLINE, KAPSTAN_PUBLIC_KEY, and
# KAPSTAN_MODIFY_PATH, KAPSTAN_DRY_RUN, KAPSTAN_QUIET set to 1.
param(
    [string]$Version = $env:KAPSTAN_VERSION,
    [string]$Channel = $env:KAPSTAN_CHANNEL,
    [string]$Dir = $env:KAPSTAN_INSTALL_DIR,
    [string]$Target = $env:KAPSTAN_TARGET,
    [string]$Mirror = $env:KAPSTAN_RELEASES,
    [string]$Offline = $env:KAPSTAN_OFFLINE,
    [string]$PublicKey = $env:KAPSTAN_PUBLIC_KEY,
    [switch]$ModifyPath,
    [switch]$DryRun,
    [switch]$Quiet,
    [switch]$Uninstall,
    [switch]$Help
)

# Filled in by dist/release: the version that this installer belongs to, the public keys that sign releases (one a
# line), and the checksum of every archive of that version.
$Release_version = ''
$Release_keys = ''
$Release_sums = ''

$DefaultMirror = 'https://github.com/kapstan/kapstan/releases'

function Show-Usage {
    Write-Output @'
usage: install.ps1 [OPTION...]

Installs kapstan into %LOCALAPPDATA%\Programs\kapstan, with completions.

  -Version V           that version instead of the newest
  -Channel NAME        stable (default) or preview
  -Dir FOLDER          where the binary goes
  -Target TRIPLE       a platform other than this machine's, for instance i686-pc-windows-gnu
  -Mirror URL|FOLDER   where releases lie (latest/download/FILE, download/vVERSION/FILE)
  -Offline FOLDER      take everything from the folder of one release or of an unpacked air-gap archive
  -PublicKey KEY       the minisign key that must have signed the release, instead of kapstan's; or a file with it
  -ModifyPath          add the folder to PATH in your user environment
  -DryRun              check the release and say what would be done
  -Quiet               say nothing but errors
  -Uninstall           remove what was installed, by its receipt
  -Help                this text
'@
}

function Say([string]$Text) { if (-not $script:Quiet) { Write-Host $Text } }

function Stop-Installer([string[]]$Lines) {
    throw "kapstan installer: error: $($Lines -join [Environment]::NewLine + '  ')"
}

function Find-Tool([string]$Name) {
    $found = Get-Command $Name -CommandType Application -ErrorAction SilentlyContinue | Select-Object -First 1
    if ($found) { return $found.Path }
    # Git for Windows keeps its openssl out of PATH.
    $git = Join-Path $env:ProgramFiles "Git\usr\bin\$Name.exe"
    if (Test-Path -LiteralPath $git) { return $git }
    return $null
}

# Runs a program without letting its standard error become an exception, and returns its output and status.
function Invoke-Tool([string]$Program, [string[]]$Arguments) {
    $previous = $ErrorActionPreference
    $ErrorActionPreference = 'Continue'
    try {
        $output = & $Program @Arguments 2>$null
        return @{ Status = $LASTEXITCODE; Output = ($output -join "`n") }
    } catch {
        return @{ Status = 126; Output = "$_" }
    } finally {
        $ErrorActionPreference = $previous
    }
}

# --- the machine ------------------------------------------------------------------------------------------------------

function Get-Target {
    # PROCESSOR_ARCHITEW6432 is the machine's when a 32-bit PowerShell runs on it.
    $machine = if ($env:PROCESSOR_ARCHITEW6432) { $env:PROCESSOR_ARCHITEW6432 } else { $env:PROCESSOR_ARCHITECTURE }
    switch ($machine) {
        'AMD64' { return 'x86_64-pc-windows-gnu' }
        # Windows on ARM runs programs for x86_64.
        'ARM64' { return 'x86_64-pc-windows-gnu' }
        'x86' { return 'i686-pc-windows-gnu' }
    }
    Stop-Installer "kapstan is not built for Windows on $machine", 'it is for x86_64 and i686; to take one of them all the same: -Target TRIPLE'
}

# --- bytes ------------------------------------------------------------------------------------------------------------

# Puts a file of the release at $From (URL or folder) into the work folder.
function Get-ReleaseFile([string]$From, [string]$Name) {
    $output = Join-Path $script:Work $Name
    try {
        if ($From -match '^https?://') {
            Invoke-WebRequest -UseBasicParsing -Uri "$From/$Name" -OutFile $output -TimeoutSec 300
        } else {
            Copy-Item -LiteralPath (Join-Path $From $Name) -Destination $output
        }
    } catch {
        Stop-Installer "cannot get $From/$Name", $_.Exception.Message, 'no network? a proxy is that of Windows; else a mirror (-Mirror) or files brought along (-Offline)'
    }
    return $output
}

function Get-Sum([string]$Path) { return (Get-FileHash -LiteralPath $Path -Algorithm SHA256).Hash.ToLowerInvariant() }

# --- proof of origin --------------------------------------------------------------------------------------------------

# Whether a raw Ed25519 signature holds, by openssl. The key is 32 bytes; in front of it stands the constant head of such keys.
function Test-Ed25519([byte[]]$Key, [string]$MessageFile, [byte[]]$Signature) {
    $head = [byte[]](0x30, 0x2a, 0x30, 0x05, 0x06, 0x03, 0x2b, 0x65, 0x70, 0x03, 0x21, 0x00)
    $pem = Join-Path $script:Work 'key.pem'
    $text = "-----BEGIN PUBLIC KEY-----`n" + [Convert]::ToBase64String([byte[]]($head + $Key)) + "`n-----END PUBLIC KEY-----`n"
    [IO.File]::WriteAllText($pem, $text)
    $file = Join-Path $script:Work 'signature.raw'
    [IO.File]::WriteAllBytes($file, $Signature)
    $run = Invoke-Tool $script:OpenSsl @('pkeyutl', '-verify', '-pubin', '-inkey', $pem, '-rawin', '-in', $MessageFile, '-sigfile', $file)
    return $run.Status -eq 0
}

# Whether this openssl can do it, tried on a signature from RFC 8032 (section 7.1, test 2): it must hold for its message
# and for no other.
function Test-OpenSsl {
    $script:OpenSsl = Find-Tool 'openssl'
    if (-not $script:OpenSsl) { return $false }
    $key = [Convert]::FromBase64String('PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=')
    $signature = [Convert]::FromBase64String('kqAJqfDUyrhyDoILX2QlQKKye1QWUD+Ps3YiI+vbadoIWsHkPhWZbkWPNhPQ8R2MOHsurrQwKu6wDSkWErsMAA==')
    $known = Join-Path $script:Work 'known'
    $other = Join-Path $script:Work 'other'
    [IO.File]::WriteAllText($known, 'r')
    [IO.File]::WriteAllText($other, 's')
    $hash = Invoke-Tool $script:OpenSsl @('dgst', '-blake2b512', '-binary', '-out', (Join-Path $script:Work 'hash'), $known)
    return ($hash.Status -eq 0) -and (Test-Ed25519 $key $known $signature) -and -not (Test-Ed25519 $key $other $signature)
}

# Checks SHA256SUMS against its minisign signature with openssl; returns the trusted comment, or nothing. The layout of
# keys and signatures is told in install.sh.
function Get-CommentByOpenSsl([string]$PublicKeyText, [string]$Sums, [string]$SignatureFile) {
    try {
        $lines = [IO.File]::ReadAllLines($SignatureFile)
        $key = [Convert]::FromBase64String($PublicKeyText)
        $signature = [Convert]::FromBase64String($lines[1])
        $globalSignature = [Convert]::FromBase64String($lines[3])
    } catch { return $null }
    if ($key.Length -ne 42 -or $signature.Length -ne 74 -or $globalSignature.Length -ne 64) { return $null }
    if ([Text.Encoding]::ASCII.GetString($signature, 0, 2) -cne 'ED') { return $null }
    if (($key[2..9] -join ' ') -ne ($signature[2..9] -join ' ')) { return $null }
    $hash = Join-Path $script:Work 'sums.hash'
    $run = Invoke-Tool $script:OpenSsl @('dgst', '-blake2b512', '-binary', '-out', $hash, $Sums)
    if ($run.Status -ne 0 -or -not (Test-Ed25519 $key[10..41] $hash $signature[10..73])) { return $null }
    if (-not $lines[2].StartsWith('trusted comment: ')) { return $null }
    $comment = $lines[2].Substring('trusted comment: '.Length)
    $message = Join-Path $script:Work 'global'
    [IO.File]::WriteAllBytes($message, [byte[]]($signature[10..73] + [Text.Encoding]::UTF8.GetBytes($comment)))
    if (-not (Test-Ed25519 $key[10..41] $message $globalSignature)) { return $null }
    return $comment
}

function Get-CommentByMinisign([string]$PublicKeyText, [string]$Sums, [string]$SignatureFile) {
    $run = Invoke-Tool $script:Minisign @('-V', '-Q', '-P', $PublicKeyText, '-x', $SignatureFile, '-m', $Sums)
    if ($run.Status -eq 0) { return $run.Output.Trim() }
    return $null
}

# Returns the trusted comment of a signature that one of the keys made, or nothing.
function Get-SignedComment([string]$Verifier, [string[]]$Keys, [string]$Sums, [string]$SignatureFile) {
    foreach ($key in $Keys) {
        $comment = if ($Verifier -eq 'minisign') { Get-CommentByMinisign $key $Sums $SignatureFile } else { Get-CommentByOpenSsl $key $Sums $SignatureFile }
        if ($comment) { return $comment }
    }
    return $null
}

# Proves the release: returns its version, where its files lie, its checksums and the proof in words.
function Get-ProvedRelease {
    $keys = @(if ($PublicKey) { $PublicKey } else { $Release_keys -split '\s+' | Where-Object { $_ } })
    $script:Minisign = Find-Tool 'minisign'
    $verifier = if ($script:Minisign) { 'minisign' } elseif (Test-OpenSsl) { 'openssl' } else { '' }
    if ($verifier -and $keys) { return Get-ReleaseBySignature $verifier $keys }
    return Get-ReleaseByCarriedSums
}

function Get-ReleaseBySignature([string]$Verifier, [string[]]$Keys) {
    if ($Offline) { $from = $Offline }
    elseif ($Version) { $from = "$Mirror/download/v$Version" }
    elseif ($Channel -eq 'preview') { $from = "$Mirror/download/channel-preview" }
    else { $from = "$Mirror/latest/download" }
    $sums = Get-ReleaseFile $from 'SHA256SUMS'
    $comment = Get-SignedComment $Verifier $Keys $sums (Get-ReleaseFile $from 'SHA256SUMS.minisig')
    if (-not $comment) {
        # While keys change, a release has a second signature.
        try { $next = Get-ReleaseFile $from 'SHA256SUMS.next.minisig' } catch { $next = $null }
        if ($next) { $comment = Get-SignedComment $Verifier $Keys $sums $next }
    }
    if (-not $comment) {
        Stop-Installer "the signature of $from/SHA256SUMS does not hold: nothing is installed", 'the files were changed on their way, or another key signed them (-PublicKey)'
    }
    if ($comment -cnotmatch '^kapstan ([0-9A-Za-z.+-]+)$') {
        Stop-Installer "the signature of $from/SHA256SUMS is for ``$comment``, which is no release of kapstan"
    }
    $signed = $Matches[1]
    if ($Version -and $Version -cne $signed) { Stop-Installer "$from holds version $signed, not ${Version}: nothing is installed" }
    if (-not $Version -and -not $Offline) {
        # Whoever serves an old release as the newest may want its faults.
        if ($Release_version -and [version]($signed -replace '[-+].*') -lt [version]($Release_version -replace '[-+].*')) {
            Stop-Installer "$from offers $signed as the newest version, but this installer is of $Release_version", "the mirror is out of date; to install that version all the same: -Version $signed"
        }
        # `latest` may move on while we read.
        $from = "$Mirror/download/v$signed"
    }
    return @{ Version = $signed; From = $from; Sums = [IO.File]::ReadAllText($sums); Proof = "signature of SHA256SUMS, checked by $Verifier" }
}

function Get-ReleaseByCarriedSums {
    if ($PublicKey) { Stop-Installer 'a public key is given, but nothing here can check a signature', 'install minisign, or Git for Windows, which brings openssl 3' }
    if (-not $Release_sums) {
        Stop-Installer 'nothing here proves where the files come from', 'this copy of the installer carries no checksums: take the one of a release, or pass -PublicKey and have minisign or openssl 3'
    }
    if ($Version -and $Version -cne $Release_version) {
        Stop-Installer "without minisign or openssl 3 this installer can prove version $Release_version only, not $Version", "take the installer of that release: $Mirror/download/v$Version/install.ps1"
    }
    $from = if ($Offline) { $Offline } else { "$Mirror/download/v$Release_version" }
    return @{ Version = $Release_version; From = $from; Sums = $Release_sums; Proof = 'checksum carried by this installer (there is neither minisign nor openssl 3 to check the signature)' }
}

function Get-Archive($Release) {
    $name = "kapstan-$($Release.Version)-$Target.zip"
    $wanted = $null
    foreach ($line in $Release.Sums -split "`r?`n") {
        $sum, $file = $line -split '\s+\*?', 2
        if ($file -ceq $name) { $wanted = $sum }
    }
    if (-not $wanted) { Stop-Installer "kapstan $($Release.Version) is not there for $Target" }
    if ($DryRun) { return $name }
    $archive = Get-ReleaseFile $Release.From $name
    $found = Get-Sum $archive
    if ($found -cne $wanted) {
        Stop-Installer "the checksum of $name is wrong: nothing is installed", "it should be $wanted", "it is        $found", 'the download was cut short or changed; try again'
    }
    return $archive
}

# --- putting it in place ----------------------------------------------------------------------------------------------

# The new binary lies beside the old one and has run before it takes its place. A running program cannot be replaced on
# Windows, but it can be renamed.
function Install-Binary([string]$Source) {
    $staged = Join-Path $Dir "kapstan.new.$PID.exe"
    $aside = "$Binary.old"
    try {
        [void](New-Item -ItemType Directory -Force -Path $Dir)
        Copy-Item -LiteralPath $Source -Destination $staged
    } catch {
        Remove-Item -LiteralPath $staged -Force -ErrorAction SilentlyContinue
        Stop-Installer "cannot write to $Dir", $_.Exception.Message, 'choose another folder: -Dir FOLDER'
    }
    $run = Invoke-Tool $staged @('--version')
    if ($run.Status -ne 0) {
        Remove-Item -LiteralPath $staged -Force
        Stop-Installer "the binary for $Target does not run on this machine (status $($run.Status))", $run.Output
    }
    Remove-Item -LiteralPath $aside -Force -ErrorAction SilentlyContinue
    $had = Test-Path -LiteralPath $Binary
    try {
        if ($had) { Move-Item -LiteralPath $Binary -Destination $aside -Force }
        Move-Item -LiteralPath $staged -Destination $Binary
    } catch {
        if ($had -and -not (Test-Path -LiteralPath $Binary)) { Move-Item -LiteralPath $aside -Destination $Binary }
        Remove-Item -LiteralPath $staged -Force -ErrorAction SilentlyContinue
        Stop-Installer "cannot replace $Binary", $_.Exception.Message
    }
    # Gone now, or when it has ended and the next installation comes.
    Remove-Item -LiteralPath $aside -Force -ErrorAction SilentlyContinue
}

function Install-Completions([string]$Unpacked) {
    $source = Join-Path $Unpacked 'completions\_kapstan.ps1'
    if (-not (Test-Path -LiteralPath $source)) { return @() }
    $completions = Join-Path $Dir '_kapstan.ps1'
    Copy-Item -LiteralPath $source -Destination $completions -Force
    Say "Completions: add this line to your `$PROFILE:  . '$completions'"
    return @($completions)
}

function Get-UserPath { return [Environment]::GetEnvironmentVariable('Path', 'User') }

function Add-ToPath {
    $entries = @("$(Get-UserPath)" -split ';' | Where-Object { $_ })
    if ($entries -contains $Dir) { return $true }
    if (-not $ModifyPath) {
        if (($env:Path -split ';') -notcontains $Dir) { Say "$Dir is not in PATH. Add it in your user environment, or let this installer do it: -ModifyPath" }
        return $false
    }
    [Environment]::SetEnvironmentVariable('Path', (($entries + $Dir) -join ';'), 'User')
    Say "PATH: added $Dir to your user environment; a new shell knows it"
    return $true
}

function Remove-FromPath([string]$Folder) {
    $entries = @("$(Get-UserPath)" -split ';' | Where-Object { $_ -and $_ -ne $Folder })
    [Environment]::SetEnvironmentVariable('Path', ($entries -join ';'), 'User')
}

# Says what was installed, for `kapstan self update`, `kapstan self uninstall` and -Uninstall.
function Write-Receipt([string]$InstalledVersion, [string[]]$Files, [bool]$InPath) {
    [void](New-Item -ItemType Directory -Force -Path $ReceiptFolder)
    $content = [ordered]@{ schema = 1; path = $Binary; version = $InstalledVersion; files = @($Files | Where-Object { $_ }); source = 'install.ps1'; user_path = $InPath }
    $text = ConvertTo-Json $content -Depth 3
    # Without a byte order mark, which Set-Content of 5.1 would write.
    [IO.File]::WriteAllText("$Receipt.new", $text)
    Move-Item -LiteralPath "$Receipt.new" -Destination $Receipt -Force
}

function Read-Receipt {
    if (-not (Test-Path -LiteralPath $Receipt)) { return $null }
    return [IO.File]::ReadAllText($Receipt) | ConvertFrom-Json
}

function Remove-Installation {
    $known = Read-Receipt
    if (-not $known) { Stop-Installer "nothing to remove: there is no receipt at $Receipt", 'what a package manager installed, it removes' }
    $all = @(@($known.path) + @($known.files) | Where-Object { $_ })
    if ($DryRun) { Say "would remove:`n  $($all -join "`n  ")"; return }
    $folder = Split-Path -Parent $known.path
    foreach ($file in $all + "$($known.path).old" + (Join-Path $folder 'kapstan.previous.exe')) {
        if (Test-Path -LiteralPath $file) { Remove-Item -LiteralPath $file -Force }
    }
    if ($known.user_path) { Remove-FromPath $folder }
    Remove-Item -LiteralPath $Receipt -Force
    foreach ($left in @($folder, $ReceiptFolder)) {
        if ((Test-Path -LiteralPath $left) -and -not (Get-ChildItem -LiteralPath $left -Force)) { Remove-Item -LiteralPath $left }
    }
    Say "removed $($known.path)"
}

# --- the order of things ----------------------------------------------------------------------------------------------

function Read-Settings {
    foreach ($name in 'ModifyPath', 'DryRun', 'Quiet') {
        $variable = 'KAPSTAN_' + ($name -creplace '(?<=[a-z])(?=[A-Z])', '_').ToUpperInvariant()
        $value = [Environment]::GetEnvironmentVariable($variable)
        if ($value -and $value -ne '0') { Set-Variable -Scope Script -Name $name -Value $true }
    }
    $script:Version = $Version -replace '^v'
    if ($script:Version -cnotmatch '^[0-9A-Za-z.+-]*$') { Stop-Installer "``$Version`` is no version" }
    # A key may be a file, as minisign writes it.
    if ($PublicKey -and (Test-Path -LiteralPath $PublicKey -PathType Leaf)) {
        $script:PublicKey = [IO.File]::ReadAllLines($PublicKey) | Where-Object { $_ -and $_ -notmatch '^untrusted comment:' } | Select-Object -First 1
    }
    if (-not $Channel) { $script:Channel = 'stable' }
    if ($script:Channel -notin 'stable', 'preview') { Stop-Installer "there is no channel ``$Channel``: stable, preview" }
    if (-not $Mirror) { $script:Mirror = $DefaultMirror }
    $script:Mirror = $script:Mirror.TrimEnd('/')
    if ($script:Mirror -match '://' -and $script:Mirror -notmatch '^(https://|http://(127\.0\.0\.1|localhost|\[::1\])([:/]|$))') {
        Stop-Installer "the mirror $script:Mirror is not safe: use https"
    }
    # A folder that is a release itself.
    if ($script:Mirror -notmatch '://' -and -not $Offline -and (Test-Path -LiteralPath (Join-Path $script:Mirror 'manifest.json'))) {
        $script:Offline = $script:Mirror
    }
    if ($Offline -and -not (Test-Path -LiteralPath $Offline -PathType Container)) { Stop-Installer "there is no folder ``$Offline`` to install from" }
    if (-not $Dir) { $script:Dir = Join-Path $env:LOCALAPPDATA 'Programs\kapstan' }
    $script:Dir = $ExecutionContext.SessionState.Path.GetUnresolvedProviderPathFromPSPath($script:Dir)
    if (-not $Target) { $script:Target = Get-Target }
    $script:Binary = Join-Path $script:Dir 'kapstan.exe'
    $script:ReceiptFolder = Join-Path $env:LOCALAPPDATA 'kapstan'
    $script:Receipt = Join-Path $script:ReceiptFolder 'receipt.json'
}

function Install-Kapstan {
    $release = Get-ProvedRelease
    $archive = Get-Archive $release
    if ($DryRun) {
        Say "would install kapstan $($release.Version) for $Target"
        Say "  from     $($release.From)/$archive"
        Say "  to       $Binary"
        Say "  proof    $($release.Proof)"
        return
    }
    $unpacked = Join-Path $script:Work 'unpacked'
    Expand-Archive -LiteralPath $archive -DestinationPath $unpacked -Force
    $earlier = Read-Receipt
    Install-Binary (Join-Path $unpacked 'kapstan.exe')
    $files = Install-Completions $unpacked
    $inPath = Add-ToPath
    # What the user had in PATH before is not ours to remove.
    $ours = ($ModifyPath -and $inPath) -or ($earlier -and $earlier.path -eq $Binary -and $earlier.user_path)
    Write-Receipt $release.Version $files ([bool]$ours)
    Say "kapstan $($release.Version) is installed: $Binary"
    Say "  proof: $($release.Proof)"
}

function Start-Installer {
    $ErrorActionPreference = 'Stop'
    # The progress bar of 5.1 makes downloads many times slower.
    $ProgressPreference = 'SilentlyContinue'
    if ($Help) { Show-Usage; return }
    [Net.ServicePointManager]::SecurityProtocol = [Net.ServicePointManager]::SecurityProtocol -bor [Net.SecurityProtocolType]::Tls12
    $script:Work = Join-Path ([IO.Path]::GetTempPath()) "kapstan-$([Guid]::NewGuid())"
    [void](New-Item -ItemType Directory -Path $script:Work)
    try {
        Read-Settings
        if ($Uninstall) { Remove-Installation } else { Install-Kapstan }
    } finally {
        Remove-Item -LiteralPath $script:Work -Recurse -Force -ErrorAction SilentlyContinue
    }
}

Start-Installer
