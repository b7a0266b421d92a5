#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test.
#   ./test.sh [ctest's arguments]
#   ./test.sh --device [--sanitize]   runs what needs an NVIDIA GPU, and writes docs/figures/device-NAME.md
#   ./test.sh --bundle FILE.tar.xz    packs these tests for another machine, where tests/device_tests.sh runs them
#   ./test.sh --sanitize thread|address [ctest's arguments]   runs the laws, the workers and the readers on the CPU with
#                                     the thread sanitizer, or with those of addresses and undefined behaviour
#   ./test.sh --fuzz SECONDS [HARNESS...] [--executions MOST]   gives made-up files, notes and messages to whatever reads some, for so long
set -euo pipefail

source_directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/setup.sh
. "$source_directory/scripts/setup.sh"
build_folder=$source_directory/build

# device_bundle FOLDER: program, tests and the software renderer's pictures of every scene.
device_bundle() {
  local folder=$1 mesa=/usr/share/glvnd/egl_vendor.d/50_mesa.json drawing=()
  [ -n "$(find_nvcc && printf '%s' "$nvcc")" ] || fail "the tests of a GPU need the CUDA toolkit"
  rm -rf "$folder"
  cmake --install "$build_folder" --prefix "$folder" >"$build_folder/install.log"
  cmake --install "$build_folder" --prefix "$folder" --component tests >>"$build_folder/install.log"
  mkdir -p "$folder/references"
  say "drawing every scene with software, to compare with: some minutes"
  for shard in 0 1; do
    KINESCOPE_DRAW_REFERENCES=$folder/references GTEST_TOTAL_SHARDS=2 GTEST_SHARD_INDEX=$shard \
      __EGL_VENDOR_LIBRARY_FILENAMES=$mesa "$build_folder/device_tests" --gtest_filter='*Cpu*' \
      >"$build_folder/references.$shard.log" 2>&1 &
    drawing+=($!)
  done
  for job in "${drawing[@]}"; do wait "$job" || fail "the software renderer failed: build/references.*.log"; done
}

# sanitize thread|address [ctest's arguments]
sanitize() {
  local kind=$1 folder=$build_folder/sanitize-$1 suites
  shift
  configure "$source_directory" "$folder" --preset "$kind-sanitizer"
  build "$folder" app_tests sim_tests command_line_tests
  suites=$(cd "$source_directory/tests" && grep -rhoE '^TEST(_[FP])?\(\w+' app/{laws,job_queue,runner,replay,timeline,input_queue}_test.cpp \
    sim/k_means/{distributed,folder_store}_test.cpp command_line/workers_test.cpp sim/data --exclude costs_test.cpp | sed 's/.*(//' | sort -u | paste -sd '|')
  # A long history: an access whose stack is forgotten cannot be told from one that is suppressed.
  export TSAN_OPTIONS=suppressions=$source_directory/tests/thread_sanitizer.supp:history_size=7
  # These measure what the sanitizer changes: the bytes that a worker reads, the memory of the largest sheet. And Arrow's
  # threads are not compiled with it.
  if [ "$kind" = thread ]; then set -- -E 'EachReadsItsOwnRows|ExtremesAreRun.*fitzhugh|^Arrow\.' "$@"; fi
  export UBSAN_OPTIONS=halt_on_error=1:print_stacktrace=1
  exec ctest --test-dir "$folder" --output-on-failure -j "$(nproc)" -R "(^|/)($suites)\\." "$@"
}

# fuzz SECONDS [HARNESS...]
fuzz() {
  local folder=$build_folder/fuzz compiler
  compiler=$(compgen -c clang++ | grep -xE 'clang\+\+(-[0-9]+)?' | sort -V | tail -n 1)
  [ -n "$compiler" ] || fail "fuzzing needs clang++ with libFuzzer (package clang)"
  configure "$source_directory" "$folder" --preset fuzz "-DCMAKE_CXX_COMPILER=$compiler" "-DCMAKE_C_COMPILER=${compiler/++/}"
  build "$folder" fuzz
  exec python3 "$source_directory/tests/fuzz/fuzz.py" "$folder" "$@"
}

mode=${1:-}
if [ "$mode" = --help ]; then
  sed -n 's/^# \{0,1\}//p' "${BASH_SOURCE[0]}" | sed -n 2,8p
  exit
fi
if [ "$mode" = --device ] && ! nvidia-smi -L 2>/dev/null | grep -q GPU; then
  fail "this machine has no NVIDIA GPU that answers; ./test.sh --bundle FILE.tar.xz packs these tests for one that has"
fi
if [ "$mode" = --bundle ] && [ -z "${2:-}" ]; then fail "--bundle needs the name of a file, FILE.tar.xz"; fi
if [ "$mode" = --sanitize ] && [[ ! ${2:-} =~ ^(thread|address)$ ]]; then fail "--sanitize needs 'thread' or 'address'"; fi
if [ "$mode" = --fuzz ] && [[ ! ${2:-} =~ ^[1-9][0-9]*$ ]]; then fail "--fuzz needs a number of seconds"; fi

install_packages "${build_packages[@]}" "${test_packages[@]}"
case $mode in
  --sanitize) sanitize "${@:2}" ;;
  --fuzz) fuzz "${@:2}" ;;
esac
# For one GPU generation, to save time. Without a GPU here only PTX is compiled, unless the bundle will be taken to a
# GPU.
if [ "$mode" = --bundle ]; then cuda_options "$build_folder" 90 always; else cuda_options "$build_folder" 90-virtual; fi
configure "$source_directory" "$build_folder" "${cuda[@]}"
build "$build_folder"

case $mode in
  --device)
    shift
    device_bundle "$build_folder/bundle"
    name=$(nvidia-smi --query-gpu=name --format=csv,noheader | head -n 1 | tr '[:upper:] ' '[:lower:]-' | sed 's/^nvidia-//')
    exec "$build_folder/bundle/tests/device_tests.sh" --table "$source_directory/docs/figures/device-$name.md" "$@"
    ;;
  --bundle)
    device_bundle "$build_folder/bundle"
    # The executables contain the same device code; a dictionary that spans them stores it only once.
    tar -C "$build_folder" -cf - bundle | xz -T1 --lzma2=preset=2,dict=256MiB >"$2"
    say "$(du -h "$2" | cut -f 1) in $2: unpack it on a machine with a GPU and start bundle/tests/device_tests.sh"
    ;;
  *)
    cd "$build_folder"
    # Two jobs more than processors: the tests of the window wait most of their time.
    exec ctest --output-on-failure -j $(($(nproc) + 2)) "$@"
    ;;
esac
