# `cmake --install build --prefix X` makes a bundle that runs on another machine:
#   bin/kinescope            starts the program below
#   libexec/kinescope        the program; its run path is $ORIGIN/../lib
#   lib/                     the shared libraries that a machine may lack
#   lib/x11/                 libX11 and what it needs; used only where the machine has none of its own
#   share/kinescope/fonts/   the fonts of the window
#   share/kinescope/plants/  the landscape's plants, as presets that one can edit
#   share/kinescope/presets/ the landscape's presets, for --preset
#   share/kinescope/data/    sample data
# The C and C++ run-time libraries, OpenGL and the drivers stay those of the machine that it runs on.
# `cmake --install build --prefix X --component tests` adds the test executables, their data and device_tests.sh as
# tests/.

# DT_RPATH, not DT_RUNPATH: the libraries of the bundle find each other through the program.
target_link_options(kinescope PRIVATE -Wl,--disable-new-dtags)
install(TARGETS kinescope RUNTIME_DEPENDENCY_SET kinescope_libraries RUNTIME DESTINATION libexec)
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/start_bundle.sh DESTINATION bin RENAME kinescope)

if(TARGET kinescope_arrow)
  install(TARGETS kinescope_arrow RUNTIME_DEPENDENCY_SET kinescope_libraries LIBRARY DESTINATION lib)
endif()

set(libraries_of_the_system
  "^ld-linux" "^lib(c|m|dl|rt|pthread|util|resolv|stdc\\+\\+|gcc_s|z)\\.so"
  "^lib(GL|GLX|EGL|OpenGL|GLdispatch|GLES|drm|gbm|cuda|nvidia|vdpau|va)[A-Za-z0-9_-]*\\.so" "^lib(X|xcb|xkbcommon|wayland|ICE|SM)[A-Za-z0-9_-]*\\.so")
install(RUNTIME_DEPENDENCY_SET kinescope_libraries
  PRE_EXCLUDE_REGEXES ${libraries_of_the_system}
  LIBRARY DESTINATION lib)

# GLFW and Cairo are linked to libraries of X11, so that even `kinescope run` would not start on a server without them.
foreach(name libX11.so.6 libXext.so.6 libXrender.so.1 libxcb-render.so.0 libxcb-shm.so.0 libxcb.so.1 libXau.so.6 libXdmcp.so.6 libbsd.so.0 libmd.so.0)
  find_file(KINESCOPE_FALLBACK_${name} ${name} PATHS /usr/lib/${CMAKE_LIBRARY_ARCHITECTURE} /lib/${CMAKE_LIBRARY_ARCHITECTURE} /usr/lib64 /usr/lib
            NO_DEFAULT_PATH)
  mark_as_advanced(KINESCOPE_FALLBACK_${name})
  if(KINESCOPE_FALLBACK_${name})
    file(REAL_PATH ${KINESCOPE_FALLBACK_${name}} library)
    install(FILES ${library} DESTINATION lib/x11 RENAME ${name})
  endif()
endforeach()

# The window's fonts, from the packages fonts-inter or fonts-roboto-unhinted.
file(GLOB fonts /usr/share/fonts/opentype/inter/Inter-Regular.otf /usr/share/fonts/opentype/inter/Inter-Medium.otf
     /usr/share/fonts/opentype/inter/Inter-SemiBold.otf /usr/share/fonts/truetype/inter/Inter-*.ttf
     /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Regular.ttf /usr/share/fonts/truetype/roboto/unhinted/RobotoTTF/Roboto-Medium.ttf)
install(FILES ${fonts} DESTINATION share/kinescope/fonts)

install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets/plants ${PROJECT_SOURCE_DIR}/assets/presets ${PROJECT_SOURCE_DIR}/assets/data
        DESTINATION share/kinescope)

install(FILES LICENSE README.md CHANGELOG.md DESTINATION share/doc/kinescope)
install(DIRECTORY docs/manual DESTINATION share/doc/kinescope/docs)
# The licences of the packages whose files are in the bundle.
foreach(pattern libtbb12 libfmt[0-9]* libglfw3 libimgui-dev libstb[0-9]* libspng0 libjpeg62-turbo libjpeg-turbo8 libfreetype6 libcairo2 libpixman-1-0 libfontconfig1 libexpat1 libpng16-16* libbrotli1 fonts-inter
        fonts-roboto-unhinted libx11-6 libxext6 libxrender1 libxcb-render0 libxcb-shm0 libxcb1 libxau6 libxdmcp6 libbsd0 libmd0
        libminizip1* libpugixml1* libzstd1 liblzma5 libbz2-1.0 liblzf1 libhdf5-[0-9]* libaec0 libsz2 libgloo0 libhiredis[0-9]* libibverbs1 libnl-3-200 libnl-route-3-200 libarrow[0-9]* libparquet[0-9]*)
  file(GLOB notices /usr/share/doc/${pattern}/copyright)
  foreach(notice IN LISTS notices)
    get_filename_component(package ${notice} DIRECTORY)
    get_filename_component(package ${package} NAME)
    install(FILES ${notice} DESTINATION share/doc/kinescope/licences RENAME ${package})
  endforeach()
endforeach()

if(KINESCOPE_ARROW_NOTICES)
  install(FILES ${KINESCOPE_ARROW_NOTICES} DESTINATION share/doc/kinescope/licences/pyarrow)
endif()

# The files that the tests read, at the same paths as below the top of the project.
install(PROGRAMS ${PROJECT_SOURCE_DIR}/scripts/device_tests.sh DESTINATION tests COMPONENT tests EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/tests/data ${PROJECT_SOURCE_DIR}/tests/app/gui ${PROJECT_SOURCE_DIR}/tests/faults ${PROJECT_SOURCE_DIR}/tests/hostile DESTINATION tests COMPONENT tests EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/assets DESTINATION . COMPONENT tests EXCLUDE_FROM_ALL)
install(FILES ${PROJECT_SOURCE_DIR}/README.md DESTINATION . COMPONENT tests EXCLUDE_FROM_ALL)
install(DIRECTORY ${PROJECT_SOURCE_DIR}/docs/manual DESTINATION docs COMPONENT tests EXCLUDE_FROM_ALL)
foreach(executable sim_tests render_tests app_tests command_line_tests cuda_tests device_tests example_tests glimmer_quality inject kinescope_cuda_faults)
  if(TARGET ${executable})
    target_link_options(${executable} PRIVATE -Wl,--disable-new-dtags)
    install(TARGETS ${executable} RUNTIME DESTINATION tests COMPONENT tests EXCLUDE_FROM_ALL OPTIONAL)
  endif()
endforeach()
install(TARGETS inject_preloaded LIBRARY DESTINATION tests COMPONENT tests EXCLUDE_FROM_ALL)
