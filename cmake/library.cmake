# `cmake --install build --component library --prefix X` installs the library, for find_package(kinescope) in another
# project: X/include/kinescope, X/lib and X/lib/cmake/kinescope.
set(libraries kinescope_options kinescope_public kinescope_library kinescope_sim kinescope_sim_core kinescope_sim_data kinescope_bench)
foreach(simulation IN LISTS KINESCOPE_SIMULATIONS)
  list(APPEND libraries kinescope_sim_${simulation})
endforeach()
set_target_properties(kinescope_sim PROPERTIES EXPORT_NAME kinescope)
set_target_properties(kinescope_bench PROPERTIES EXPORT_NAME bench)
target_include_directories(kinescope_options INTERFACE $<INSTALL_INTERFACE:include>)
target_compile_features(kinescope_options INTERFACE cxx_std_20)

set(config ${PROJECT_BINARY_DIR}/cmake)
configure_file(cmake/kinescope-config.cmake.in ${config}/kinescope-config.cmake @ONLY)
include(CMakePackageConfigHelpers)
write_basic_package_version_file(${config}/kinescope-config-version.cmake COMPATIBILITY SameMinorVersion)

set(place ${CMAKE_INSTALL_LIBDIR}/cmake/kinescope)
set(component COMPONENT library EXCLUDE_FROM_ALL)
install(TARGETS ${libraries} EXPORT kinescope ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR} ${component})
if(TARGET kinescope_arrow)
  install(TARGETS kinescope_arrow LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR} ${component})
endif()
install(EXPORT kinescope NAMESPACE kinescope:: FILE kinescope-targets.cmake DESTINATION ${place} ${component})
install(FILES ${config}/kinescope-config.cmake ${config}/kinescope-config-version.cmake cmake/dependencies.cmake
        DESTINATION ${place} ${component})
install(DIRECTORY include/kinescope DESTINATION include ${component})
