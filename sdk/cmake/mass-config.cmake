# SPDX-License-Identifier: Apache-2.0
# find_package(mass): the SDK of mass-engine.
#
#   mass::sdk                     the headers, to link to
#   mass_add_plugin(NAME [CPU_ONLY] [MODEL FILE] [SOURCES FILE...] [DESTINATION DIR])
#
# builds NAME.so. NAME must not be a library of the system, such as m, or a target of CMake's own.
#
# MODEL is the C file with the model (mass/model.h) and its callbacks; it may include others. The C compiler compiles
# it. If nvcc is found, nvcc also compiles it, into device code inside the shared object. SOURCES are C for the host
# only. Callbacks in them are an error, unless the plugin is CPU_ONLY, which leaves out device code.
#
# In callbacks, two things are errors: functions of the C library whose results differ between devices, and variables of
# the file. All code is compiled with -Wall -Wextra. Integers used as pointers, pointers of a wrong type, undeclared
# functions, functions without a result, and callbacks in no schedule are errors.
#
#   MASS_CUDA                AUTO (default): device code if nvcc is found; OFF: none; ON: an error without nvcc
#   MASS_CUDA_ARCHITECTURES  the targets of device code: 90-real is machine code for GPUs of compute
#                            capability 9.0, 75-virtual is PTX, which runs from 7.5 on, 90 is both of 9.0. Default:
#                            this machine's GPUs, as in 90; without one, 80-real;90-real;75-virtual
#   MASS_OPTIMIZE            how well the C compiler optimises callbacks: -O3 (default); with sanitizers or for a
#                            debugger, -O1 or -O0, which also compile faster

if(TARGET mass::sdk)
  return()
endif()

get_filename_component(_mass_here "${CMAKE_CURRENT_LIST_DIR}" REALPATH)
find_path(MASS_SDK_INCLUDE mass/model.h
  PATHS "${_mass_here}/../include" "${_mass_here}/../../../include" NO_DEFAULT_PATH REQUIRED)
find_path(MASS_RANDOM123_INCLUDE Random123/philox.h REQUIRED)
add_library(mass::sdk INTERFACE IMPORTED)
set_target_properties(mass::sdk PROPERTIES
  INTERFACE_INCLUDE_DIRECTORIES "${MASS_SDK_INCLUDE};${MASS_RANDOM123_INCLUDE}" # CMake leaves out those of the compiler
  INTERFACE_SYSTEM_INCLUDE_DIRECTORIES "${MASS_RANDOM123_INCLUDE}")

if(NOT DEFINED MASS_CUDA)
  set(MASS_CUDA AUTO)
elseif(NOT MASS_CUDA MATCHES "^(AUTO|ON|OFF)$")
  message(FATAL_ERROR "MASS_CUDA is ${MASS_CUDA}: it can be AUTO, ON or OFF")
endif()
if(NOT DEFINED MASS_OPTIMIZE)
  set(MASS_OPTIMIZE -O3)
endif()
if(NOT MASS_CUDA STREQUAL "OFF")
  find_program(MASS_NVCC nvcc HINTS ENV CUDA_PATH PATHS /usr/local/cuda PATH_SUFFIXES bin)
endif()
# Finds the architectures of this machine's GPUs, on which an author tries a plugin. Machine code and PTX of one kind
# take one pass of the compiler.
function(_mass_find_architectures out)
  set(found)
  find_program(MASS_NVIDIA_SMI nvidia-smi)
  if(MASS_NVIDIA_SMI)
    execute_process(COMMAND "${MASS_NVIDIA_SMI}" --query-gpu=compute_cap --format=csv,noheader
      OUTPUT_VARIABLE gpus ERROR_QUIET TIMEOUT 20)
    execute_process(COMMAND "${MASS_NVCC}" --list-gpu-code OUTPUT_VARIABLE known ERROR_QUIET)
    string(REGEX MATCHALL "[0-9]+[.][0-9]" gpus "${gpus}")
    list(REMOVE_DUPLICATES gpus)
    foreach(gpu IN LISTS gpus)
      string(REPLACE "." "" gpu "${gpu}")
      if(known MATCHES "sm_${gpu}[^0-9]")
        list(APPEND found "${gpu}")
      endif()
    endforeach()
  endif()
  if(NOT found)
    set(found "80-real;90-real;75-virtual")
  endif()
  set(${out} "${found}" PARENT_SCOPE)
endfunction()

set(_mass_nvcc_release 0)
if(MASS_NVCC)
  execute_process(COMMAND "${MASS_NVCC}" --version OUTPUT_VARIABLE _mass_nvcc_says ERROR_QUIET)
  if(_mass_nvcc_says MATCHES "release ([0-9.]+)")
    set(_mass_nvcc_release ${CMAKE_MATCH_1})
  endif()
endif()
if(MASS_CUDA STREQUAL "OFF")
  set(_mass_device_code "no device code, since MASS_CUDA is OFF")
elseif(_mass_nvcc_release VERSION_GREATER_EQUAL 13)
  if(NOT DEFINED MASS_CUDA_ARCHITECTURES)
    _mass_find_architectures(MASS_CUDA_ARCHITECTURES)
  endif()
  list(JOIN MASS_CUDA_ARCHITECTURES " " _mass_device_code)
  set(_mass_device_code "device code by ${MASS_NVCC}, release ${_mass_nvcc_release}, for ${_mass_device_code}")
elseif(MASS_CUDA STREQUAL "ON")
  message(FATAL_ERROR "MASS_CUDA is ON and there is no nvcc of CUDA 13: install the CUDA Toolkit or set CUDA_PATH")
else()
  set(_mass_device_code "no device code, since there is no nvcc of CUDA 13")
  set(MASS_NVCC "") # also hides an older one
endif()
get_property(_mass_said GLOBAL PROPERTY MASS_DEVICE_CODE_SAID)
if(NOT _mass_said)
  message(STATUS "mass: ${_mass_device_code}")
  set_property(GLOBAL PROPERTY MASS_DEVICE_CODE_SAID ON)
endif()

set(_mass_nvcc_flags -std=c++20 -O3 -fmad=false -Xfatbin=-compress-all --threads=0) # architectures at the same time
foreach(_mass_arch IN LISTS MASS_CUDA_ARCHITECTURES)
  string(REGEX REPLACE "-.*" "" _mass_number "${_mass_arch}")
  if(_mass_arch MATCHES "-virtual$")
    list(APPEND _mass_nvcc_flags "-gencode=arch=compute_${_mass_number},code=compute_${_mass_number}")
  elseif(NOT _mass_arch MATCHES "-real$")
    list(APPEND _mass_nvcc_flags
      "-gencode=arch=compute_${_mass_number},code=[sm_${_mass_number},compute_${_mass_number}]")
  else()
    list(APPEND _mass_nvcc_flags "-gencode=arch=compute_${_mass_number},code=sm_${_mass_number}")
  endif()
endforeach()
set(MASS_NVCC_FLAGS ${_mass_nvcc_flags})

# Makes device code of a model, in a C source that includes the bytes.
function(_mass_add_device_code name model out)
  get_filename_component(input "${model}" ABSOLUTE)
  set(fatbin "${CMAKE_CURRENT_BINARY_DIR}/${name}.fatbin")
  set(carrier "${CMAKE_CURRENT_BINARY_DIR}/${name}_device_code.c")
  set(random123)
  if(NOT MASS_RANDOM123_INCLUDE STREQUAL "/usr/include") # which a compiler must not be told of
    set(random123 -isystem "${MASS_RANDOM123_INCLUDE}")
  endif()
  add_custom_command(OUTPUT "${fatbin}"
    COMMAND "${MASS_NVCC}" ${MASS_NVCC_FLAGS} -x cu -fatbin -MD -MF "${fatbin}.d" -MT "${fatbin}"
            "-I${MASS_SDK_INCLUDE}" ${random123} -o "${fatbin}" "${input}"
    DEPENDS "${input}" DEPFILE "${fatbin}.d" COMMENT "Device code of ${name}" VERBATIM)
  file(CONFIGURE OUTPUT "${carrier}" CONTENT [=[
__asm__(".pushsection .rodata\n.balign 64\n.globl mass_device_code\n.hidden mass_device_code\n"
        "mass_device_code:\n.incbin \"@fatbin@\"\n.popsection\n");
]=] @ONLY)
  set_source_files_properties("${carrier}" PROPERTIES OBJECT_DEPENDS "${fatbin}")
  set(${out} "${carrier}" PARENT_SCOPE)
endfunction()

# Checks a plugin's name. A plugin is a target of CMake, which has names of its own. CMake links a target instead of a
# library of the same name.
function(_mass_check_name name)
  if(NOT name MATCHES "^[A-Za-z0-9_][A-Za-z0-9_.+-]*$")
    message(FATAL_ERROR "mass_add_plugin(${name}): a plugin's name has letters, digits and _ - . + and begins with one "
                        "of the first three")
  endif()
  if(name MATCHES "^(all|ALL_BUILD|clean|depend|edit_cache|help|INSTALL|install|list_install_components|package\
|PACKAGE|package_source|preinstall|rebuild_cache|RUN_TESTS|test|ZERO_CHECK)$")
    message(FATAL_ERROR "mass_add_plugin(${name}): CMake has a target ${name} of its own: give the plugin another name")
  endif()
  find_library(library NAMES "${name}" PATHS ${CMAKE_C_IMPLICIT_LINK_DIRECTORIES} NO_DEFAULT_PATH NO_CACHE)
  if(library OR name MATCHES "^(c|dl|gcc|gcc_s|m|pthread|rt|stdc\\+\\+|util)$")
    message(FATAL_ERROR "mass_add_plugin(${name}): the system has a library ${name}, and what links to it would get "
                        "the plugin: give the plugin another name")
  endif()
endfunction()

function(mass_add_plugin name)
  _mass_check_name("${name}")
  cmake_parse_arguments(PARSE_ARGV 1 arg "CPU_ONLY" "MODEL;DESTINATION" "SOURCES")
  if(arg_UNPARSED_ARGUMENTS)
    message(FATAL_ERROR "mass_add_plugin(${name}): what is ${arg_UNPARSED_ARGUMENTS}? MODEL takes one file, "
                        "which may include others")
  endif()
  set(sources ${arg_SOURCES} ${arg_MODEL})
  if(arg_MODEL AND NOT arg_CPU_ONLY AND MASS_NVCC AND NOT MASS_CUDA STREQUAL "OFF")
    _mass_add_device_code(${name} "${arg_MODEL}" device_code)
    list(APPEND sources "${device_code}")
  endif()
  add_library(${name} MODULE ${sources})
  set_target_properties(${name} PROPERTIES PREFIX "" SUFFIX ".so" C_VISIBILITY_PRESET hidden
    C_STANDARD 17 C_EXTENSIONS ON POSITION_INDEPENDENT_CODE ON)
  if(arg_DESTINATION)
    set_target_properties(${name} PROPERTIES LIBRARY_OUTPUT_DIRECTORY "${arg_DESTINATION}")
  endif()
  # No contraction, so that every device gives the same bits. The other options let loops vectorise.
  target_compile_options(${name} PRIVATE ${MASS_OPTIMIZE} -ffp-contract=off -fno-math-errno -fno-trapping-math)
  # Rules that read and write many arrays need as many checks that these do not overlap.
  target_compile_options(${name} PRIVATE
    $<$<COMPILE_LANG_AND_ID:C,GNU>:--param=vect-max-version-for-alias-checks=64>)
  # Frequent mistakes in rules are errors or warnings, such as variables without a value.
  target_compile_options(${name} PRIVATE -Wall -Wextra -Werror=return-type
    $<$<COMPILE_LANGUAGE:C>:-Werror=int-conversion> $<$<COMPILE_LANGUAGE:C>:-Werror=incompatible-pointer-types>
    $<$<COMPILE_LANGUAGE:C>:-Werror=implicit-function-declaration> -Werror=unused-const-variable)
  # Messages show the author's line, without the macros that it went through.
  if(CMAKE_C_COMPILER_ID STREQUAL "GNU")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:C>:-ftrack-macro-expansion=0>)
  elseif(CMAKE_C_COMPILER_ID MATCHES "Clang")
    target_compile_options(${name} PRIVATE $<$<COMPILE_LANGUAGE:C>:-fmacro-backtrace-limit=1>)
  endif()
  target_link_libraries(${name} PRIVATE mass::sdk m)
  target_link_options(${name} PRIVATE "LINKER:--version-script=${_mass_here}/exports.map") # mass_plugin_entry alone
  if(NOT arg_CPU_ONLY) # kernel.h then refuses callbacks where MASS_IS_MODEL is not defined
    target_compile_definitions(${name} PRIVATE MASS_CALLBACKS_IN_MODEL)
  endif()
  if(arg_MODEL)
    set_property(SOURCE "${arg_MODEL}" APPEND PROPERTY COMPILE_DEFINITIONS MASS_IS_MODEL)
    set_property(SOURCE "${arg_MODEL}" APPEND PROPERTY COMPILE_OPTIONS -ffunction-sections -fdata-sections)
    # for check-kernels.sh
    get_filename_component(file "${arg_MODEL}" NAME)
    string(REGEX REPLACE "([.+])" "[\\1]" pattern "${file}")
    add_custom_command(TARGET ${name} PRE_LINK VERBATIM COMMAND_EXPAND_LISTS
      COMMAND sh "${_mass_here}/check-kernels.sh" "${CMAKE_READELF}" "${arg_MODEL}"
              "$<FILTER:$<TARGET_OBJECTS:${name}>,INCLUDE,/${pattern}[.]o(bj)?$>")
  endif()
endfunction()
