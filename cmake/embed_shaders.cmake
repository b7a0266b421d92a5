# Run as a script: writes a C++ file that holds the text of every shader below DIRECTORY.
#   cmake -DDIRECTORY=... -DOUTPUT=... -P embed_shaders.cmake
file(GLOB_RECURSE files RELATIVE ${DIRECTORY} ${DIRECTORY}/*.glsl)
list(SORT files)
set(text "// Written by the build from the files in shaders/; edits are lost.\n#include \"render/gl/embedded_shaders.hpp\"\n\n")
string(APPEND text "namespace kinescope::render {\n\nconst std::vector<EmbeddedShader>& embedded_shaders() {\n")
string(APPEND text "  static const std::vector<EmbeddedShader> shaders = {\n")
foreach(file IN LISTS files)
  file(READ ${DIRECTORY}/${file} content)
  string(APPEND text "{\"${file}\", R\"kinescope_glsl(${content})kinescope_glsl\"},\n")
endforeach()
string(APPEND text "  };\n  return shaders;\n}\n\n}  // namespace kinescope::render\n")
file(WRITE ${OUTPUT} "${text}")
