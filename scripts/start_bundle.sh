#!/bin/sh
# Starts the program of a bundle. Where the machine has no libX11 (a server), the bundle's own is used.
here=$(PATH=/usr/bin:/bin && dirname -- "$(readlink -f -- "$0")")
program=$here/../libexec/kinescope
case $(LD_TRACE_LOADED_OBJECTS=1 "$program" 2>/dev/null) in
  *libX11.so.6*"not found"*)
    LD_LIBRARY_PATH=${LD_LIBRARY_PATH:+$LD_LIBRARY_PATH:}$here/../lib/x11
    export LD_LIBRARY_PATH
    ;;
esac
exec "$program" "$@"
