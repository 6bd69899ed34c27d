# The pages of a run: web/ bundled into a source file each, so that the program is one file and needs no network.
# Made in the build folder, and made anew when web/ changes.
set(web_build ${PROJECT_BINARY_DIR}/web)
set(report_page ${web_build}/report_page.cpp)
set(view_page ${web_build}/view_page.cpp)

if(TAUT_REPORT)
  find_program(NODE NAMES node nodejs)
  find_program(NPM npm)
  mark_as_advanced(NODE NPM)
  if(NOT NODE OR NOT NPM)
    message(FATAL_ERROR "The report needs node and npm: install nodejs and npm, or configure with -DTAUT_REPORT=OFF.")
  endif()
  file(GLOB_RECURSE web_sources CONFIGURE_DEPENDS ${PROJECT_SOURCE_DIR}/web/src/*)
  set(web_packages ${web_build}/node_modules/.package-lock.json)
  add_custom_command(OUTPUT ${web_packages}
    COMMAND ${CMAKE_COMMAND} -E copy ${PROJECT_SOURCE_DIR}/web/package.json
      ${PROJECT_SOURCE_DIR}/web/package-lock.json ${web_build}
    COMMAND ${NPM} ci --ignore-scripts --no-audit --no-fund --loglevel=error
      || ${CMAKE_COMMAND} -D "MESSAGE=the page's packages cannot be fetched: -DTAUT_REPORT=OFF builds without it"
      -P ${PROJECT_SOURCE_DIR}/cmake/fail.cmake
    DEPENDS ${PROJECT_SOURCE_DIR}/web/package.json ${PROJECT_SOURCE_DIR}/web/package-lock.json
    WORKING_DIRECTORY ${web_build}
    COMMENT "Fetching what the page is made of" VERBATIM)
  add_custom_command(OUTPUT ${report_page} ${view_page}
    COMMAND ${NODE} ${PROJECT_SOURCE_DIR}/web/bundle.mjs ${web_build}/node_modules ${web_build}
    DEPENDS ${web_packages} ${web_sources} ${PROJECT_SOURCE_DIR}/web/bundle.mjs
    COMMENT "Bundling the pages" VERBATIM)
  file(MAKE_DIRECTORY ${web_build})
else()
  file(CONFIGURE OUTPUT ${report_page} CONTENT
    "#include \"output/report_page.hpp\"\nstd::string_view taut::report_page() { return {}; }\n")
  file(CONFIGURE OUTPUT ${view_page} CONTENT
    "#include \"output/view_page.hpp\"\nstd::string_view taut::view_page() { return {}; }\n")
endif()
target_sources(taut PRIVATE ${report_page} ${view_page})
