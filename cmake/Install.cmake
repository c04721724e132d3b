# What `make install PREFIX=...` gives a user. The directory is `lib` on every
# system: `plumb` looks for ../lib/plumb from its own place.
include(CMakePackageConfigHelpers)

install(TARGETS plumb RUNTIME DESTINATION bin)
install(TARGETS plumb_rt LIBRARY DESTINATION lib/plumb)
install(TARGETS plumb_stress ARCHIVE DESTINATION lib/plumb)
install(TARGETS plumb-instrument RUNTIME DESTINATION lib/plumb)
install(DIRECTORY include/ DESTINATION include FILES_MATCHING PATTERN "*.h")

file(GLOB man_pages CONFIGURE_DEPENDS "docs/man/*.1")
install(FILES ${man_pages} DESTINATION share/man/man1)

configure_file(cmake/plumb.pc.in "${PROJECT_BINARY_DIR}/package/plumb.pc" @ONLY)
install(FILES "${PROJECT_BINARY_DIR}/package/plumb.pc" DESTINATION lib/pkgconfig)

configure_package_config_file(cmake/PlumbConfig.cmake.in
  "${PROJECT_BINARY_DIR}/package/PlumbConfig.cmake"
  INSTALL_DESTINATION lib/cmake/Plumb NO_CHECK_REQUIRED_COMPONENTS_MACRO)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/package/PlumbConfigVersion.cmake"
  COMPATIBILITY SameMinorVersion)
install(FILES
  "${PROJECT_BINARY_DIR}/package/PlumbConfig.cmake"
  "${PROJECT_BINARY_DIR}/package/PlumbConfigVersion.cmake"
  cmake/expect.sh
  DESTINATION lib/cmake/Plumb)
