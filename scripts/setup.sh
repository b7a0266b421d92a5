# Sourced by run.sh and test.sh: installs what is missing, configures and builds. No step asks a question.
# shellcheck shell=bash

say() { printf 'kinescope: %s\n' "$*" >&2; }
fail() {
  say "error: $*"
  exit 1
}

# shellcheck disable=SC2034  # used where this is sourced
build_packages=(
  build-essential cmake ninja-build pkg-config libglfw3-dev python3-glad libimgui-dev libglm-dev libeigen3-dev libstb-dev libtbb-dev
  libgtest-dev libcairo2-dev libegl-dev libgl-dev libopengl-dev libgl1-mesa-dri libegl-mesa0 libgl1 libcli11-dev
  libfmt-dev nlohmann-json3-dev libpugixml-dev robin-map-dev zlib1g-dev libzstd-dev liblzma-dev libbz2-dev liblzf-dev libjpeg-dev libspng-dev libminizip-dev libhdf5-dev libgloo-dev libhiredis-dev fonts-inter python3-venv
)
# shellcheck disable=SC2034
test_packages=(xvfb xauth xdotool clang-format clang-tidy redis-tools)
# For how the program behaves on other processors.
if [ "$(uname -m)" = x86_64 ]; then test_packages+=(qemu-user g++-aarch64-linux-gnu); fi

as_root() {
  if [ "$(id -u)" -eq 0 ]; then
    "$@"
  elif command -v sudo >/dev/null; then
    # sudo -n is tried first: sudo may ask for a password only on a terminal.
    if sudo -n true 2>/dev/null || [ -t 0 ]; then sudo "$@"; else fail "installing packages needs root: run this as root, or install by hand: $*"; fi
  else
    fail "installing packages needs root, and there is no sudo: $*"
  fi
}

# install_packages NAME...: installs with apt those that are missing.
install_packages() {
  command -v dpkg-query >/dev/null || {
    say "this is no Debian or Ubuntu: packages are not installed here; docs/manual/installing.md lists what is needed"
    return
  }
  local package missing=()
  for package in "$@"; do
    [ "$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null)" = installed ] || missing+=("$package")
  done
  [ ${#missing[@]} -gt 0 ] || return 0
  say "installing with apt: ${missing[*]}"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get update -qq || say "apt-get update failed; trying with the lists that are there"
  as_root env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq -o DPkg::Lock::Timeout=300 --no-install-recommends "${missing[@]}" >&2 ||
    fail "apt could not install the packages above"
}

# install_arrow FOLDER: installs Apache Arrow, for Parquet and Arrow files: the distribution's, else Python's package in a
# virtual environment below FOLDER, whose Python is then `arrow_python`. Without either these files are not read.
install_arrow() {
  local environment=$1/pyarrow log=$1/pyarrow.log
  arrow_python=
  [ "$(dpkg-query -W -f '${db:Status-Status}' libparquet-dev 2>/dev/null)" != installed ] || return 0
  if ! compgen -G "$environment/lib/python3*/site-packages/pyarrow/libparquet.so.*" >/dev/null || [ ! -x "$environment/bin/python" ]; then
    if command -v apt-cache >/dev/null && [ -n "$(apt-cache search --names-only '^libparquet-dev$' 2>/dev/null)" ]; then
      (install_packages libarrow-dev libparquet-dev) || say "Parquet and Arrow files will not be read"
      return 0
    fi
    say "installing Apache Arrow with pip, for Parquet files"
    mkdir -p "$1"
    if ! { python3 -m venv --clear "$environment" &&
      "$environment/bin/pip" install --quiet --disable-pip-version-check --retries 1 --timeout 15 --only-binary :all: pyarrow; } >"$log" 2>&1; then
      say "Apache Arrow could not be installed ($log): Parquet and Arrow files will not be read"
      return 0
    fi
  fi
  # shellcheck disable=SC2034  # used where this is called
  arrow_python=$environment/bin/python
}

# Sets `nvcc` to the CUDA compiler that the build uses, or to nothing.
find_nvcc() {
  nvcc=$(command -v nvcc || true)
  if [ -z "$nvcc" ] && [ -x /usr/local/cuda/bin/nvcc ]; then nvcc=/usr/local/cuda/bin/nvcc; fi
  if [ -z "$nvcc" ]; then
    say "no CUDA toolkit was found: building the CPU backend alone"
    return
  fi
  local release
  release=$("$nvcc" --version 2>/dev/null | sed -n 's/.*release \([0-9]*\)\..*/\1/p') || release=
  if [ "${release:-0}" -lt 12 ]; then
    say "$nvcc does not work or is older than CUDA 12: building the CPU backend alone"
    nvcc=
  fi
}

# Prints the architectures of this machine's GPUs as a CMake list ("89-real;90-real"); nothing without a GPU, or with
# one that this nvcc does not support yet.
gpu_architectures() {
  command -v nvidia-smi >/dev/null || return 0
  local architecture known architectures
  known=$("$nvcc" --list-gpu-arch) || return 0
  architectures=$(nvidia-smi --query-gpu=compute_cap --format=csv,noheader 2>/dev/null | tr -d . | sort -u) || return 0
  for architecture in $architectures; do
    case $known in *"compute_$architecture"*) ;; *) return 0 ;; esac
  done
  for architecture in $architectures; do printf '%s-real\n' "$architecture"; done | paste -sd ';'
}

# cuda_options FOLDER ARCHITECTURES [always]: sets `cuda` to CMake's options for the build in FOLDER. CUDA code is
# compiled for the GPU of this machine. Without a GPU it is compiled for the architectures of an earlier configuration,
# so that run.sh and test.sh share their objects. Without that too, or with `always`, it is compiled for ARCHITECTURES.
cuda_options() {
  local folder=$1 architectures nvcc
  find_nvcc
  cuda=(-DKINESCOPE_CUDA=OFF)
  if [ -n "$nvcc" ]; then
    architectures=$(gpu_architectures)
    if [ -z "$architectures" ] && { [ ! -f "$folder/CMakeCache.txt" ] || [ "${3:-}" = always ]; }; then architectures=$2; fi
    export CUDACXX=$nvcc
    cuda=(-DKINESCOPE_CUDA=ON)
    [ -z "$architectures" ] || cuda+=("-DCMAKE_CUDA_ARCHITECTURES=$architectures")
  fi
}

# configure SOURCE FOLDER [OPTION...]: runs CMake with these options for the build in FOLDER.
configure() {
  local source=$1 folder=$2 arrow_python
  shift 2
  # Several sources at a time take a third less time than one by one.
  local arguments=(-G Ninja -S "$source" -B "$folder" -DCMAKE_UNITY_BUILD=ON -DCMAKE_UNITY_BUILD_BATCH_SIZE=5 "$@")
  install_arrow "$source/build"
  [ -z "$arrow_python" ] || arguments+=("-DKINESCOPE_ARROW_PYTHON=$arrow_python")
  if command -v ccache >/dev/null; then
    arguments+=(-DCMAKE_CXX_COMPILER_LAUNCHER=ccache -DCMAKE_CUDA_COMPILER_LAUNCHER=ccache)
  fi
  mkdir -p "$folder"
  # CMake's output is kept, and shown if something is wrong.
  if ! cmake "${arguments[@]}" >"$folder/configure.log" 2>&1; then
    cat "$folder/configure.log" >&2
    fail "CMake could not configure the build"
  fi
}

# build FOLDER [TARGET...]: builds what changed. A line shows the progress. The compilers' output is kept in
# FOLDER/build.log; its errors are shown if the build fails.
build() {
  local folder=$1 log=$1/build.log begin=$SECONDS told=0 job done_ all left line
  shift
  NINJA_STATUS='[%f/%t] ' cmake --build "$folder" ${1:+--target "$@"} >"$log" 2>&1 &
  job=$!
  while kill -0 $job 2>/dev/null; do
    sleep 1
    [[ $(tail -n 1 "$log") =~ ^\[([0-9]+)/([0-9]+)\] ]] || continue
    done_=${BASH_REMATCH[1]} all=${BASH_REMATCH[2]}
    if [ "$done_" -eq 0 ] || [ $((SECONDS - begin)) -lt 5 ]; then continue; fi
    left=$(((SECONDS - begin) * (all - done_) / done_))
    line="building: $done_ of $all, about $((left / 60)) min $((left % 60)) s left"
    if [ -t 2 ]; then
      printf '\rkinescope: %s   ' "$line" >&2
    elif [ $((SECONDS - told)) -ge 30 ]; then
      told=$SECONDS
      say "$line"
    fi
  done
  [ ! -t 2 ] || printf '\r\033[K' >&2
  wait $job || {
    grep -aE -A 12 'error|FAILED' "$log" | head -n 120 >&2
    fail "the build failed: the full output is in $log"
  }
}
