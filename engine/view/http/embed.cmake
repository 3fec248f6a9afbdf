# SPDX-License-Identifier: Apache-2.0
# cmake -DOUT=FILE.c "-DFILES=A;B" -P embed.cmake: writes files as an array of what page.h describes.
set(type_html "text/html; charset=utf-8")
set(type_js "text/javascript; charset=utf-8")
set(type_css "text/css; charset=utf-8")
set(type_svg "image/svg+xml")
set(type_png "image/png")

set(arrays "")
set(table "")
set(count 0)
foreach(file ${FILES})
  get_filename_component(name ${file} NAME)
  string(REGEX REPLACE ".*\\." "" extension ${name})
  if(NOT DEFINED type_${extension})
    message(FATAL_ERROR "${file}: no type is known for .${extension}; add it to embed.cmake")
  endif()
  file(READ ${file} bytes HEX)
  string(LENGTH "${bytes}" digits)
  math(EXPR size "${digits} / 2")
  string(REGEX REPLACE "(..)" "0x\\1," bytes "${bytes}")
  string(APPEND arrays "static const unsigned char file_${count}[] = {${bytes}0};\n")
  string(APPEND table "    {\"${name}\", \"${type_${extension}}\", file_${count}, ${size}},\n")
  math(EXPR count "${count} + 1")
endforeach()
file(WRITE ${OUT} "#include \"view/http/page.h\"\n\n${arrays}
const mass_view_page_file mass_view_page[] = {\n${table}    {0}};
const size_t mass_view_page_files = ${count};\n")
