#!/usr/bin/env bash
# Installs what is missing, builds everything and runs every test.
set -euo pipefail

source_directory=$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)
# shellcheck source=scripts/setup.sh
. "$source_directory/scripts/setup.sh"

install_packages "${build_packages[@]}" "${test_packages[@]}"
# One architecture, for time.
configure "$source_directory" 90
build "$source_directory"
cd "$source_directory/build"
exec ctest --output-on-failure "$@"
