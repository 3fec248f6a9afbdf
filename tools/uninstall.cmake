# SPDX-License-Identifier: Apache-2.0
# Removes the files of an installation, and those of its folders that are then empty:
#     cmake -D MANIFEST=FILE -P tools/uninstall.cmake
# FILE is the list that cmake --install writes into the build folder: a line for each installed file. DESTDIR applies as
# it did then. What Python compiled of an installed module goes with it. Folders that others use too, such as bin,
# remain: folders of mass-engine have its name in their path.
if(NOT EXISTS "${MANIFEST}")
  message(FATAL_ERROR "nothing to uninstall: ${MANIFEST} is not there, which cmake --install writes")
endif()

file(STRINGS "${MANIFEST}" files)
set(folders)
set(removed 0)
foreach(file IN LISTS files)
  set(path "$ENV{DESTDIR}${file}")
  if(EXISTS "${path}" OR IS_SYMLINK "${path}")
    file(REMOVE "${path}")
    if(EXISTS "${path}" OR IS_SYMLINK "${path}")
      message(FATAL_ERROR "${path} cannot be removed: uninstall as the user who installed it")
    endif()
    math(EXPR removed "${removed} + 1")
  endif()
  cmake_path(GET path PARENT_PATH folder)
  if(path MATCHES "[.]py$")
    cmake_path(GET path STEM LAST_ONLY module)
    file(GLOB compiled "${folder}/__pycache__/${module}.*.pyc")
    if(compiled)
      file(REMOVE ${compiled})
    endif()
    list(APPEND folders "${folder}/__pycache__")
  endif()
  while(folder MATCHES "/(python3-)?mass(-[a-z]+)*(/|$)")
    list(APPEND folders "${folder}")
    cmake_path(GET folder PARENT_PATH folder)
  endwhile()
endforeach()

# The deepest folders come first: a folder's path is longer than its parent's.
list(REMOVE_DUPLICATES folders)
list(SORT folders ORDER DESCENDING)
foreach(folder IN LISTS folders)
  file(GLOB left LIST_DIRECTORIES true "${folder}/*" "${folder}/.*")
  list(FILTER left EXCLUDE REGEX "/[.][.]?$")
  if(IS_DIRECTORY "${folder}" AND NOT IS_SYMLINK "${folder}" AND NOT left)
    file(REMOVE_RECURSE "${folder}")
  endif()
endforeach()
message(STATUS "removed ${removed} files of mass-engine")
