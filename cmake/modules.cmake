# kinescope_module(PATH [FAST] [USES NAMES...] [PRIVATE NAMES...]): the folder PATH, with all below it, as a static
# library; sim/core is the target kinescope_sim_core. NAMES are other modules by their paths, or targets of CMake. FAST:
# compiled with KINESCOPE_FAST.
#
# Headers are included by their paths from the top, and yet the top is in no include path. A module's headers are found
# through a folder that holds one link, to the module. So a module can include only the headers of modules that it uses.
# The public headers of sim/NAME lie in include/kinescope/NAME, those of sim/core in include/kinescope itself.
function(kinescope_module path)
  cmake_parse_arguments(PARSE_ARGV 1 arg "FAST" "" "USES;PRIVATE")
  kinescope_module_targets(target ${path})
  kinescope_module_targets(uses ${arg_USES})
  kinescope_module_targets(private ${arg_PRIVATE})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.cpp)
  if(KINESCOPE_HAVE_CUDA)
    file(GLOB_RECURSE cuda_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/${path}/*.cu)
  endif()
  if(NOT sources)
    message(FATAL_ERROR "${path} has no sources: is it a misspelt name?")
  endif()
  add_library(${target} STATIC ${sources} ${cuda_sources})
  # run.sh and test.sh compile several sources at a time (unity build). The sources that are edited most, and those that
  # take long by themselves, are compiled alone.
  list(FILTER sources INCLUDE REGEX "_(scene|cpu)\\.cpp$")
  set_source_files_properties(${sources} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  kinescope_include_as(${target} PUBLIC ${path} ${PROJECT_SOURCE_DIR}/${path})
  if(path MATCHES "^(sim/)?([a-z_]+)$")
    kinescope_public_headers(${target} ${CMAKE_MATCH_2})
  endif()
  target_link_libraries(${target} PUBLIC kinescope_options ${uses} PRIVATE ${private})
  if(arg_FAST)
    target_compile_options(${target} PRIVATE ${KINESCOPE_FAST})
    kinescope_precompile(${target} REUSE_FROM kinescope_fast_standard)
  else()
    kinescope_precompile(${target} REUSE_FROM kinescope_standard)
  endif()
endfunction()

# kinescope_precompile(TARGET HEADERS...): precompiles these headers of other projects for TARGET's C++ sources.
# kinescope_precompile(TARGET REUSE_FROM OTHER): reuses the precompiled headers of OTHER.
function(kinescope_precompile target)
  set(headers ${ARGN})
  list(GET headers 0 first)
  if(first STREQUAL REUSE_FROM)
    target_precompile_headers(${target} ${headers})
  else()
    list(TRANSFORM headers REPLACE "(.+)" "$<$<COMPILE_LANGUAGE:CXX>:<\\1$<ANGLE-R>>")
    target_precompile_headers(${target} PRIVATE ${headers})
  endif()
  # -fpch-preprocess lets ccache cache what is compiled with precompiled headers. With them GCC forgets which headers
  # are the system's, and would warn about their inlined code and macros; these warnings are off.
  target_compile_options(${target} PRIVATE
    $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-fpch-preprocess -Wno-array-bounds -Wno-restrict -Wno-stringop-overflow
                                          -Wno-maybe-uninitialized -Wno-dangling-else>)
endfunction()

# kinescope_each(TARGET FILE MACRO NAMES...): FILE.inc, which TARGET's sources can include, has a line MACRO(NAME) for
# each name.
function(kinescope_each target file macro)
  list(TRANSFORM ARGN PREPEND "${macro}(" OUTPUT_VARIABLE entries)
  list(TRANSFORM entries APPEND ")\n")
  list(JOIN entries "" entries)
  file(CONFIGURE OUTPUT ${CMAKE_CURRENT_BINARY_DIR}/${target}.lists/${file}.inc CONTENT "${entries}")
  target_include_directories(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${target}.lists)
endfunction()

# kinescope_public_headers(TARGET NAME): TARGET's headers are the public ones of sim/NAME; of NAME sim, those of all.
function(kinescope_public_headers target name)
  set(public ${PROJECT_SOURCE_DIR}/include/kinescope)
  set(root ${PROJECT_BINARY_DIR}/include/public_${name})
  set(own ${name})
  set(of_sim kinds.hpp kinescope.hpp)
  if(name STREQUAL core)
    file(GLOB own CONFIGURE_DEPENDS RELATIVE ${public} ${public}/*.hpp)
    list(REMOVE_ITEM own ${of_sim})
    list(APPEND own executors)
  elseif(name STREQUAL sim)
    set(own ${of_sim})
  elseif(NOT IS_DIRECTORY ${public}/${name})
    return()
  endif()
  file(MAKE_DIRECTORY ${root}/kinescope)
  foreach(each IN LISTS own)
    file(CREATE_LINK ${public}/${each} ${root}/kinescope/${each} SYMBOLIC)
  endforeach()
  get_target_property(type ${target} TYPE)
  set(scope PUBLIC)
  if(type STREQUAL INTERFACE_LIBRARY)
    set(scope INTERFACE)
  endif()
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${root}>)
endfunction()

# kinescope_include_as(TARGET SCOPE PATH FOLDER): FOLDER's headers are included as "PATH/NAME.hpp".
function(kinescope_include_as target scope path folder)
  string(REPLACE "/" "_" name ${path})
  set(root ${PROJECT_BINARY_DIR}/include/${name})
  get_filename_component(parent ${root}/${path} DIRECTORY)
  file(MAKE_DIRECTORY ${parent})
  file(CREATE_LINK ${folder} ${root}/${path} SYMBOLIC)
  target_include_directories(${target} ${scope} $<BUILD_INTERFACE:${root}>)
endfunction()

# Turns the paths of modules into the names of their targets; other names stay unchanged.
function(kinescope_module_targets out)
  set(targets ${ARGN})
  list(TRANSFORM targets REPLACE "/" "_" REGEX "^(sim|render|app|bench)(/[a-z_/]+)?$")
  list(TRANSFORM targets PREPEND "kinescope_" REGEX "^(sim|render|app|bench)(_[a-z_]+)?$")
  set(${out} ${targets} PARENT_SCOPE)
endfunction()

# kinescope_embed_json(TARGET TEMPLATE FOLDER ENDING NAMES...): makes a C++ source from TEMPLATE, a file SOURCE.cpp.in,
# and adds it to TARGET. In it @embedded@ is replaced by a list of pairs, one for each NAME: NAME with ENDING, and the
# text of assets/FOLDER/NAME.json.
function(kinescope_embed_json target template folder ending)
  set(embedded "")
  foreach(name IN LISTS ARGN)
    set(file ${PROJECT_SOURCE_DIR}/assets/${folder}/${name}.json)
    set_property(DIRECTORY APPEND PROPERTY CMAKE_CONFIGURE_DEPENDS ${file})
    file(READ ${file} content)
    string(APPEND embedded "      {\"${name}${ending}\", R\"preset(${content})preset\"},\n")
  endforeach()
  get_filename_component(source ${template} NAME_WLE)
  configure_file(${template} ${CMAKE_CURRENT_BINARY_DIR}/${source} @ONLY)
  target_sources(${target} PRIVATE ${CMAKE_CURRENT_BINARY_DIR}/${source})
endfunction()

# kinescope_list(TARGET NAMESPACE FUNCTION TYPE HEADER NAMES...): makes a C++ source and adds it to TARGET. In it
# kinescope::NAMESPACE::FUNCTION() returns the objects NAMES, in this order; each is an `extern const TYPE NAME` that some
# source defines. HEADER declares FUNCTION and TYPE. TARGET's property FUNCTION keeps the names.
#
# The source is compiled alone. So a program that has more of them brings a list of its own, as tests/CMakeLists.txt does:
# where a function is there already, the linker does not take another one from a static library.
function(kinescope_list target namespace function type header)
  set(declarations "")
  foreach(name IN LISTS ARGN)
    string(APPEND declarations "extern const ${type} ${name};\n")
  endforeach()
  list(TRANSFORM ARGN PREPEND "&" OUTPUT_VARIABLE addresses)
  list(JOIN addresses ", " addresses)
  set(source ${CMAKE_CURRENT_BINARY_DIR}/${target}/${function}.cpp)
  configure_file(${PROJECT_SOURCE_DIR}/cmake/list.cpp.in ${source} @ONLY)
  target_sources(${target} PRIVATE ${source})
  set_source_files_properties(${source} TARGET_DIRECTORY ${target} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
  set_target_properties(${target} PROPERTIES ${function} "${ARGN}")
endfunction()

# kinescope_names_of_sources(OUT PATTERN): the names, without folder and ending, of all files that PATTERN finds.
function(kinescope_names_of_sources out pattern)
  file(GLOB_RECURSE names CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/${pattern})
  list(TRANSFORM names REPLACE ".*/([^/]+)\\.cpp$" "\\1")
  set(${out} ${names} PARENT_SCOPE)
endfunction()
