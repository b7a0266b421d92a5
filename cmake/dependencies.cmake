# The system's packages, by name; nothing is vendored.
find_package(PkgConfig REQUIRED)
find_package(Threads REQUIRED)
find_package(TBB REQUIRED)
find_package(ZLIB REQUIRED)
find_package(BZip2 REQUIRED)
find_package(LibLZMA REQUIRED)
find_package(JPEG REQUIRED)
find_package(nlohmann_json REQUIRED)
find_package(glm REQUIRED)
find_package(Eigen3 REQUIRED)
find_package(tsl-robin-map REQUIRED)
pkg_check_modules(stb REQUIRED IMPORTED_TARGET stb)
pkg_check_modules(cairo REQUIRED IMPORTED_TARGET cairo-pdf cairo-ft freetype2)
pkg_check_modules(spng REQUIRED IMPORTED_TARGET spng)
pkg_check_modules(pugixml REQUIRED IMPORTED_TARGET pugixml)
pkg_check_modules(minizip REQUIRED IMPORTED_TARGET minizip)
pkg_check_modules(liblzf REQUIRED IMPORTED_TARGET liblzf)
pkg_check_modules(zstd REQUIRED IMPORTED_TARGET libzstd)
# Without it HDF5 files are not read, and the program says so.
pkg_check_modules(hdf5 IMPORTED_TARGET hdf5-serial)
if(NOT hdf5_FOUND)
  pkg_check_modules(hdf5 IMPORTED_TARGET hdf5)
endif()
# Without them k-means has no workers on other machines, and the program says so.
find_package(Gloo CONFIG QUIET)
find_library(HIREDIS_LIBRARY hiredis)

if(NOT KINESCOPE_PROGRAM)
  return()
endif()
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(glfw3 REQUIRED)
pkg_check_modules(imgui REQUIRED IMPORTED_TARGET imgui)

# glad's loader for OpenGL and EGL, generated at build time. The package belongs to the system's own Python, whichever
# python3 comes first in PATH.
find_program(KINESCOPE_GLAD glad PATHS /usr/bin NO_DEFAULT_PATH REQUIRED)
set(GLAD_DIRECTORY ${PROJECT_BINARY_DIR}/glad)
add_custom_command(
  OUTPUT ${GLAD_DIRECTORY}/src/gl.c ${GLAD_DIRECTORY}/src/egl.c ${GLAD_DIRECTORY}/include/glad/gl.h ${GLAD_DIRECTORY}/include/glad/egl.h
  COMMAND ${KINESCOPE_GLAD} --reproducible --quiet --api gl:core=4.6,egl=1.5
          --extensions GL_KHR_debug,EGL_EXT_platform_base,EGL_EXT_platform_device,EGL_EXT_device_base,EGL_EXT_device_enumeration,EGL_EXT_device_query,EGL_MESA_platform_surfaceless,EGL_NV_device_cuda,EGL_KHR_surfaceless_context,EGL_KHR_create_context
          --out-path ${GLAD_DIRECTORY} c --loader
  COMMENT "Generating the OpenGL loader" VERBATIM)
add_library(kinescope_glad STATIC ${GLAD_DIRECTORY}/src/gl.c ${GLAD_DIRECTORY}/src/egl.c)
target_include_directories(kinescope_glad SYSTEM PUBLIC ${GLAD_DIRECTORY}/include)
target_compile_definitions(kinescope_glad PUBLIC EGL_NO_X11)
target_link_libraries(kinescope_glad PUBLIC ${CMAKE_DL_LIBS})
