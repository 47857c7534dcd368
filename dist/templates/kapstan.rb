class Kapstan < Formula
  desc "Turns configuration sources into checked Kubernetes manifests"
  homepage "https://github.com/kapstan/kapstan"
  version "@VERSION@"
  license "Apache-2.0"

  on_macos do
    # if aarch64-apple-darwin
    on_arm do
      url "https://github.com/kapstan/kapstan/releases/download/v@VERSION@/kapstan-@VERSION@-aarch64-apple-darwin.tar.gz"
      sha256 "@SHA256 aarch64-apple-darwin@"
    end
    # end
    # if x86_64-apple-darwin
    on_intel do
      url "https://github.com/kapstan/kapstan/releases/download/v@VERSION@/kapstan-@VERSION@-x86_64-apple-darwin.tar.gz"
      sha256 "@SHA256 x86_64-apple-darwin@"
    end
    # end
  end

  on_linux do
    # if aarch64-unknown-linux-musl
    on_arm do
      url "https://github.com/kapstan/kapstan/releases/download/v@VERSION@/kapstan-@VERSION@-aarch64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 aarch64-unknown-linux-musl@"
    end
    # end
    # if x86_64-unknown-linux-musl
    on_intel do
      url "https://github.com/kapstan/kapstan/releases/download/v@VERSION@/kapstan-@VERSION@-x86_64-unknown-linux-musl.tar.gz"
      sha256 "@SHA256 x86_64-unknown-linux-musl@"
    end
    # end
  end

  def install
    bin.install "kapstan"
    bash_completion.install "completions/kapstan.bash" => "kapstan"
    zsh_completion.install "completions/_kapstan"
    fish_completion.install "completions/kapstan.fish"
    man1.install Dir["man/man1/*.1"]
  end

  test do
    assert_match "kapstan #{version}", shell_output("#{bin}/kapstan --version")
  end
end
