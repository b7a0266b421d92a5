#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test.
#   ./test.sh [ctest's arguments]
#   ./test.sh --device [--sanitize]   runs what needs an NVIDIA GPU, and writes docs/figures/device-NAME.md
#   ./test.sh --bundle FILE.tar.xz    packs these tests for another machine, where tests/device_tests.sh runs them
set -euo pipefail

source_directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/setup.sh
. "$source_directory/scripts/setup.sh"

# device_bundle FOLDER: program, tests and the software renderer's pictures of every scene.
device_bundle() {
  local folder=$1 mesa=/usr/share/glvnd/egl_vendor.d/50_mesa.json drawing=()
  [ -n "$(find_nvcc && printf '%s' "$nvcc")" ] || fail "the tests of a GPU need the CUDA toolkit"
  rm -rf "$folder"
  cmake --install "$source_directory/build" --prefix "$folder" >"$source_directory/build/install.log"
  cmake --install "$source_directory/build" --prefix "$folder" --component tests >>"$source_directory/build/install.log"
  mkdir -p "$folder/references"
  say "drawing every scene with software, to compare with: some minutes"
  for shard in 0 1; do
    KINESCOPE_DRAW_REFERENCES=$folder/references GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$shard \
      __EGL_VENDOR_LIBRARY_FILENAMES=$mesa "$source_directory/build/device_tests" --gtest_filter='*Cpu*' \
      >"$source_directory/build/references.$shard.log" 2>&1 &
    drawing+=($!)
  done
  for job in "${drawing[@]}"; do wait "$job" || fail "the software renderer failed: build/references.*.log"; done
}

mode=${1:-}
if [ "$mode" = --help ]; then
  sed -n 's/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | sed -n 2,5p
  exit
fi
if [ "$mode" = --device ] && ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
  fail "this machine has no NVIDIA GPU that answers; ./test.sh --bundle FILE.tar.xz packs these tests for one that has"
fi
if [ "$mode" = --bundle ] && [ -z "${2:-}" ]; then fail "--bundle needs the name of a file, FILE.tar.xz"; fi

install_packages "${build_packages[@]}" "${test_packages[@]}"
# For one GPU generation, to save time. Without a GPU here only PTX is compiled, unless the bundle will be taken to a
# GPU.
if [ "$mode" = --bundle ]; then configure "$source_directory" 90 always; else configure "$source_directory" 90-virtual; fi
build "$source_directory"

case $mode in
  --device)
    shift
    device_bundle "$source_directory/build/bundle"
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 | tr '[:upper:] ' '[:lower:]-' | sed 's/^nvidia-//')
    exec "$source_directory/build/bundle/tests/device_tests.sh" --table "$source_directory/docs/figures/device-$name.md" "$@"
    ;;
  --bundle)
    device_bundle "$source_directory/build/bundle"
    # The executables contain the same device code; a dictionary that spans them stores it only once.
    tar -C "$source_directory/build" -cf - bundle | xz -T1 --lzma2=preset=2,dict=256MiB >"$2"
    say "$(du -h "$2" | cut -f 1) in $2: unpack it on a machine with a GPU and start bundle/tests/device_tests.sh"
    ;;
  *)
    cd "$source_directory/build"
    # Two jobs more than processors: the tests of the window wait most of their time.
    exec ctest --output-on-failure -j $(($(nproc) + 2)) "$@"
    ;;
esac
