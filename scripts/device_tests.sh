#!/usr/bin/env bash
# Runs everything that needs an NVIDIA GPU, from a bundle: the tests on the device and on its OpenGL driver, every scene with
# every variant, the frame times. Started by ./test.sh --device, or by hand where a bundle was unpacked:
#   tests/device_tests.sh [--sanitize] [--table FILE.md] [--pictures DIR]
set -uo pipefail
here=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
bundle=$(dirname "$here")
say() { printf 'kinescope: %s\n' "$*" >&2; }

sanitize=no table=$bundle/device.md
while [ $# -gt 0 ]; do
  case $1 in
    --sanitize) sanitize=yes ;;
    --table) table=$2 && shift ;;
    --pictures) export KINESCOPE_KEEP_PICTURES=$2 && mkdir -p "$2" && shift ;;
    *) say "error: unknown option '$1'" && exit 2 ;;
  esac
  shift
done

gpu=$(nvidia-smi --query-gpu=name,driver_version --format=csv,noheader 2>/dev/null | head -n 1)
if [ -z "$gpu" ]; then
  say "error: this machine has no NVIDIA GPU that answers (nvidia-smi)"
  exit 1
fi
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export KINESCOPE_PROGRAM=$bundle/bin/kinescope KINESCOPE_PROJECT=$bundle KINESCOPE_REFERENCES=$bundle/references
export KINESCOPE_DEVICE_ROWS=$work/rows LD_LIBRARY_PATH=$bundle/lib${LD_LIBRARY_PATH:+:$LD_LIBRARY_PATH}
# GLFW is linked to libX11, which servers often lack.
ldconfig -p | grep -q 'libX11\.so\.6' || LD_LIBRARY_PATH=$LD_LIBRARY_PATH:$bundle/lib/x11
: >"$work/rows" >"$work/told" >"$work/failures"

processors=$(nproc)
shards=$((processors < 8 ? processors : 8))

# tests PLACE NAME FILTER SHARDS: runs a test executable, with its tests shared among SHARDS processes. PLACE is the
# position of its line in the table.
tests() {
  local place=$1 name=$2 filter=$3 count=$4 shard begin=$SECONDS status=0 passed failed skipped job
  local log=$work/$place.$name jobs=()
  for ((shard = 0; shard < count; ++shard)); do
    GTEST_TOTAL_SHARDS=$count GTEST_SHARD_INDEX=$shard "$here/$name" --gtest_filter="$filter" \
      >"$log.$shard" 2>&1 &
    jobs+=($!)
  done
  for job in "${jobs[@]}"; do wait "$job" || status=1; done
  passed=$(cat "$log".* | grep -c '^\[       OK \]')
  failed=$(cat "$log".* | grep -c '^\[  FAILED  \].*ms)$')
  skipped=$(cat "$log".* | grep -c '^\[  SKIPPED \].*ms)$')
  if [ $status -ne 0 ]; then
    echo $((failed > 0 ? failed : 1)) >>"$work/failures"
    cat "$log".* | grep -vE '^\[ RUN|^\[       OK|^\[---|^\[  FAILED|^$' | cut -c 1-300 | head -n 200
    cat "$log".* | grep '^\[  FAILED  \].*ms)$' | sed 's/, where GetParam.*>//'
  fi
  [ $status -eq 0 ] || [ "$failed" -gt 0 ] || failed=crashed
  grep -hE '^(device memory after|frames at) ' "$log".* >>"$work/told"
  echo "| $name${filter:+ \`$filter\`} | $passed | $failed | $skipped | $((SECONDS - begin)) s |" >"$work/summary.$place"
  say "$name $filter: $passed passed, $failed failed, $skipped skipped, $((SECONDS - begin)) s"
  rm -f "$log".*
}

say "$gpu"
begin=$SECONDS
# At the same time, except for those that measure times or wait for the program.
tests 1 render_tests '*' "$shards" &
tests 2 app_tests '*' "$shards" &
tests 3 cuda_tests '-WorkbenchCuda.*' 4 &
tests 5 example_tests '*gray_scott*:*springs*' 4 &
tests 7 device_tests '-*FrameTime*' "$shards" &
wait
tests 6 command_line_tests '*' "$shards"
tests 4 cuda_tests 'WorkbenchCuda.*' 1
tests 8 device_tests '*FrameTime*' 1

# Tests the real window on the driver's GLX, if there are an X server for the window and a Mesa for the server.
window_case() {
  local status=0
  KINESCOPE_GUI_GPU=1 timeout 120 python3 "$here/gui/window_test.py" "$KINESCOPE_PROGRAM" "$1" >"$work/window.$1" 2>&1 || status=$?
  printf '%s %s\n' "$status" "$1" >>"$work/windows"
  case $status in 0 | 77) ;; *) printf 'window %s: ' "$1" && tail -n 4 "$work/window.$1" ;; esac
}
windows() {
  local begin=$SECONDS passed failed skipped
  command -v Xvfb >/dev/null && command -v xdotool >/dev/null && command -v python3 >/dev/null || {
    say "no Xvfb, xdotool or python3: the window was not driven"
    return
  }
  # When its configurations are queried, NVIDIA's GLX loads libX11-xcb and the libxcb-… of glx, dri3, present, randr,
  # sync and xfixes. Without these it offers no configuration.
  window_case given_file
  if grep -q 'GLXFBConfig' "$work/window.given_file"; then
    echo "| the window on the driver's GLX | not driven: it offers no configuration here | | | |" >"$work/summary.9"
    say "the driver's GLX offers no configuration here: the window was not driven"
    return
  fi
  : >"$work/windows"
  export -f window_case
  export here work
  python3 "$here/gui/window_test.py" --list | xargs -P "$shards" -I{} bash -c 'window_case {}'
  passed=$(grep -c '^0 ' "$work/windows")
  skipped=$(grep -c '^77 ' "$work/windows")
  failed=$(grep -vcE '^(0|77) ' "$work/windows")
  [ "$failed" -eq 0 ] || echo "$failed" >>"$work/failures"
  echo "| the window on the driver's GLX, driven with xdotool | $passed | $failed | $skipped | $((SECONDS - begin)) s |" >"$work/summary.9"
  say "window: $passed passed, $failed failed, $skipped skipped, $((SECONDS - begin)) s"
}
windows

sanitizer() {
  local tool=$1 found
  shift
  timeout 580 compute-sanitizer --tool "$tool" --error-exitcode 9 "$@" "$here/cuda_tests" \
    --gtest_filter='*LawsCuda.RunsAndPublishes*' >"$work/$tool" 2>&1
  local status=$?
  found=$(grep -E '=+ (ERROR SUMMARY|RACECHECK SUMMARY)' "$work/$tool" | sed 's/^=* //')
  printf '| %s | %s | %s |\n' "$tool" "$(grep -c '^\[       OK \]' "$work/$tool")" "${found:-none: it ended with $status}" >>"$work/sanitized"
  [ $status -eq 0 ] || {
    grep -E '^=' "$work/$tool" | head -n 40
    return 1
  }
}
if [ $sanitize = yes ]; then
  # All four at the same time: each keeps one processor busy.
  declare -a tools
  sanitizer memcheck --leak-check full & tools+=($!)
  sanitizer racecheck & tools+=($!)
  sanitizer initcheck & tools+=($!)
  sanitizer synccheck & tools+=($!)
  for job in "${tools[@]}"; do wait "$job" || echo 1 >>"$work/failures"; done
  cat "$work/sanitized"
fi

{
  printf '# Every scene on %s\n\n' "${gpu%%,*}"
  printf 'Written by `./test.sh --device` on %s: %s, driver %s, kinescope %s.\n\n' "$(date +%F)" "${gpu%%,*}" "${gpu##*, }" \
    "$("$KINESCOPE_PROGRAM" --version | cut -d ' ' -f 2)"
  printf '| tests | passed | failed | skipped | seconds |\n|---|---|---|---|---|\n'
  cat "$work"/summary.*
  if [ $sanitize = yes ]; then
    printf '\ncompute-sanitizer over every simulation with every method, small (`LawsCuda.RunsAndPublishes`):\n\n'
    printf '| tool | tests | result |\n|---|---|---|\n'
    sort "$work/sanitized"
  fi
  printf '\nThe window, its picture drawn into memory, CUDA and shared buffers: 200 changes of scene and data, then ten scenes of 120 frames.\n\n'
  sed 's/^/- /' "$work/told"
  printf '\nEach picture (640×360) beside that of the software renderer (Mesa) with the CPU backend: the mean difference of a channel,\n'
  printf 'and the share of blocks of 4 × 4 pixels (of the wireframe 8 × 8) that differ by more than a twelfth; the worst of the three ways. Bounds: 0.01 and 0.02, of the landscape 0.02 and 0.03, of the simplex, whose axes are up to rounding, 0.02 and 0.08.\n'
  printf 'Milliseconds: medians of a frame at 1920×1080 with one iteration, of the frames in which the simulation advanced (none if fewer than ten): OpenGL, CUDA, and\n'
  printf 'what the thread of the window does.\n\n'
  printf '| scene | variant | CPU | CUDA, shared | CUDA, staged | mean | share | OpenGL ms | CUDA ms | window ms |\n|---|---|---|---|---|---|---|---|---|---|\n'
  awk -F'|' '
    { key = $2 "|" $3; if (!(key in seen)) { seen[key] = 1; order[++count] = key } }
    $1 == "picture" { ok[key, $4] = $5; if ($6 + 0 >= mean[key] + 0) mean[key] = $6; if ($7 + 0 >= share[key] + 0) share[key] = $7 }
    $1 == "time" { draw[key] = $4; sim[key] = $5; cpu[key] = $6 }
    END {
      for (i = 1; i <= count; ++i) {
        key = order[i]; split(key, name, "|")
        printf "| %s | %s | %s | %s | %s | %s | %s | %s | %s | %s |\n", name[1], name[2], ok[key, "cpu"], ok[key, "cuda"], ok[key, "cuda_staged"], mean[key], share[key], draw[key], sim[key], cpu[key]
      }
    }' "$work/rows" | sort
} >"$table"
cat "$table"
failures=$(awk '{ count += $1 } END { print count + 0 }' "$work/failures")
say "$failures failures, $((SECONDS - begin)) s; the table is in $table"
[ $failures -eq 0 ]
