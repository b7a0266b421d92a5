# Run as a script: the computing core compiles for aarch64.
#   cmake -DCOMPILER=aarch64-linux-gnu-g++ -DSOURCE=... -DPATHS=FOLDER -P aarch64.cmake
# FOLDER/sim_*.txt are the include paths of the modules. Of other projects only headers are needed, this machine's.
foreach(module core glimmer mean_shift k_means fitzhugh_nagumo landscape)
  file(STRINGS ${PATHS}/sim_${module}.txt folders)
  list(FILTER folders INCLUDE REGEX "${INCLUDES}")
  list(TRANSFORM folders PREPEND -I)
  file(GLOB_RECURSE sources ${SOURCE}/sim/${module}/*.cpp)
  if(NOT module STREQUAL core)  # of a simulation what computes; the rest is as portable as its headers
    list(FILTER sources INCLUDE REGEX "_cpu\\.cpp$|pair_sums|measured_error|shared_memory")
  endif()
  if(NOT sources)
    message(FATAL_ERROR "sim/${module} has no sources: this test means another folder by now")
  endif()
  foreach(source IN LISTS sources)
    execute_process(COMMAND ${COMPILER} -std=c++20 -O1 -fsyntax-only ${folders} -idirafter /usr/include -idirafter /usr/include/eigen3 ${source}
                    RESULT_VARIABLE result OUTPUT_QUIET ERROR_VARIABLE said)
    if(NOT result EQUAL 0)
      message(SEND_ERROR "${source} does not compile for aarch64:\n${said}")
    endif()
  endforeach()
endforeach()
