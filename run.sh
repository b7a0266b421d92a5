#!/usr/bin/env bash
# Installs what is missing, builds Kinescope and starts it with the arguments given.
set -euo pipefail

source_directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/setup.sh
. "$source_directory/scripts/setup.sh"

install_packages "${build_packages[@]}"
# Without a GPU the CUDA code is compiled to PTX of one generation alone, which the drivers of later GPUs translate.
cuda_options "$source_directory/build" 75-virtual
configure "$source_directory" "$source_directory/build" "${cuda[@]}"
build "$source_directory/build" kinescope
program=$source_directory/build/kinescope

# The window needs a display; the other commands do not, nor does a view with --headless.
shows_window() {
  local argument
  for argument in "$@"; do
    case $argument in
      run | work | bench | list | data | devices | --headless | --help | -h | --version) return 1 ;;
    esac
  done
}

if [ -z "${DISPLAY:-}${WAYLAND_DISPLAY:-}" ] && shows_window "$@"; then
  say "there is no display: drawing without a window"
  picture=(--screenshot kinescope.png)
  for argument in "$@"; do
    case $argument in --screenshot | --screenshot=*) picture=() ;; esac
  done
  "$program" --headless --until-done "${picture[@]}" "$@"
  if [ ${#picture[@]} -gt 0 ]; then say "the picture is in $PWD/kinescope.png"; fi
else
  exec "$program" "$@"
fi
